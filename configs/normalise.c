// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The normalisation policy as a table, merged with the user's fragments into one
 * list of requests, and the check that they held. Running kconfig is the caller's.
 */
#include "configs/normalise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"

struct policy_row {
	const char *name;
	const char *value;
	/* A fragment that mentions any row of the same group has decided; NULL: nobody may. */
	const char *group;
	const char *why;
};

static const struct policy_row policy[] = {
	{ "LOCALVERSION", "\"\"", NULL, "the build appends its own suffix, as long for every kernel" },
	{ "LOCALVERSION_AUTO", "n", NULL, "a commit id in the release would differ between the points" },
	{ "BUILD_SALT", "\"\"", "salt", "a distribution's salt would change every build id" },
	{ "WERROR", "n", "werror", "a new compiler's warning must not look like a broken commit" },
	{ "SYSTEM_TRUSTED_KEYS", "\"\"", "keys", "the distribution's certificate file is not in the source" },
	{ "SYSTEM_REVOCATION_KEYS", "\"\"", "keys", "the distribution's certificate file is not in the source" },
	{ "MODULE_SIG_ALL", "n", "sign", "a key made anew for each build would change every kernel" },
	{ "DEBUG_INFO_NONE", "y", "debug", "debug info costs time and space and changes no code" },
	{ "DEBUG_INFO", "n", "debug", "trees before 5.18 have this in place of DEBUG_INFO_NONE" },
	{ "DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT", "n", "debug", "not with DEBUG_INFO_NONE" },
	{ "DEBUG_INFO_DWARF4", "n", "debug", "not with DEBUG_INFO_NONE" },
	{ "DEBUG_INFO_DWARF5", "n", "debug", "not with DEBUG_INFO_NONE" },
	{ "DEBUG_INFO_BTF", "n", "debug", "needs debug info and a matching pahole" },
	{ "GDB_SCRIPTS", "n", "debug", "of no use without debug info" },
	{ "RANDSTRUCT_NONE", "y", "randstruct", "random structure layouts make two builds incomparable" },
	{ "RANDSTRUCT_FULL", "n", "randstruct", "not with RANDSTRUCT_NONE" },
	{ "RANDSTRUCT_PERFORMANCE", "n", "randstruct", "not with RANDSTRUCT_NONE" },
	{ "GCC_PLUGIN_RANDSTRUCT", "n", "randstruct", "trees before 5.19 have this in place of RANDSTRUCT_NONE" },
	{ "PREEMPT_DYNAMIC", "y", "dynamic", "one model for every point can then be chosen at boot" },
};

static const struct {
	const char *word;   /* of the job's boot.preempt */
	const char *symbol;
} preempt_models[] = {
	{ "none", "PREEMPT_NONE" },
	{ "voluntary", "PREEMPT_VOLUNTARY" },
	{ "lazy", "PREEMPT_LAZY" },
	{ "full", "PREEMPT" },
};

void normalise_requests_done(struct normalise_requests *requests)
{
	if (!requests)
		return;
	for (size_t i = 0; i < requests->n_requests; i++) {
		free(requests->requests[i].name);
		free(requests->requests[i].value);
		free(requests->requests[i].why);
	}
	free(requests->requests);
	*requests = (struct normalise_requests){ 0 };
}

/* One request a symbol: the later one replaces the earlier. */
static int request_add(struct normalise_requests *requests, const char *name, const char *value,
		       bool must_hold, const char *why)
{
	struct normalise_request *request = NULL;

	for (size_t i = 0; i < requests->n_requests && !request; i++) {
		if (!strcmp(requests->requests[i].name, name))
			request = &requests->requests[i];
	}
	if (!request) {
		request = reallocarray(requests->requests, requests->n_requests + 1,
				       sizeof(*request));
		if (!request)
			return -ENOMEM;
		requests->requests = request;
		request += requests->n_requests++;
		*request = (struct normalise_request){ .name = text_duplicate(name) };
	}
	free(request->value);
	free(request->why);
	request->value = text_duplicate(value);
	request->why = text_duplicate(why);
	request->must_hold = must_hold;
	return 0;
}

static const struct policy_row *policy_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(policy); i++) {
		if (!strcmp(policy[i].name, name))
			return &policy[i];
	}
	return NULL;
}

static bool is_group_decided(const char *group, const struct kernel_config *fragments,
			     size_t n_fragments)
{
	if (!group)
		return false;
	for (size_t row = 0; row < ARRAY_SIZE(policy); row++) {
		if (!policy[row].group || strcmp(policy[row].group, group) != 0)
			continue;
		for (size_t i = 0; i < n_fragments; i++) {
			if (kernel_config_get(&fragments[i], policy[row].name))
				return true;
		}
	}
	return false;
}

static int fragments_request(struct normalise_requests *requests,
			     const struct kernel_config *fragments, size_t n_fragments)
{
	for (size_t i = 0; i < n_fragments; i++) {
		for (size_t j = 0; j < fragments[i].n_symbols; j++) {
			const struct kernel_config_symbol *symbol = &fragments[i].symbols[j];
			const struct policy_row *row = policy_find(symbol->name);

			if (row && !row->group)
				continue;
			if (request_add(requests, symbol->name, symbol->value, true,
					"a fragment asks for it") < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

static int preempt_request(struct normalise_requests *requests, const char *preempt,
			   struct error *err)
{
	const char *chosen = NULL;

	if (!strcmp(preempt, "auto"))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(preempt_models); i++) {
		if (!strcmp(preempt_models[i].word, preempt))
			chosen = preempt_models[i].symbol;
	}
	if (!chosen)
		return error_set(err, -EINVAL,
				 "preempt = %s is not known: write auto, none, voluntary, lazy or full",
				 preempt);
	for (size_t i = 0; i < ARRAY_SIZE(preempt_models); i++) {
		bool is_chosen = !strcmp(preempt_models[i].symbol, chosen);

		/* Only the chosen model must hold: older trees have no lazy one to switch off. */
		if (request_add(requests, preempt_models[i].symbol, is_chosen ? "y" : "n",
				is_chosen, "the job's preempt setting") < 0)
			return error_set(err, -ENOMEM, "out of memory");
	}
	return 0;
}

int normalise_apply(struct kernel_config *config, const struct kernel_config *fragments,
		    size_t n_fragments, const char *preempt,
		    struct normalise_requests *ret_requests, struct error *err)
{
	_cleanup_(normalise_requests_done) struct normalise_requests requests = { 0 };
	int r;

	if (fragments_request(&requests, fragments, n_fragments) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	r = preempt_request(&requests, preempt, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(policy); i++) {
		if (is_group_decided(policy[i].group, fragments, n_fragments))
			continue;
		if (request_add(&requests, policy[i].name, policy[i].value, false,
				policy[i].why) < 0)
			return error_set(err, -ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < requests.n_requests; i++) {
		r = kernel_config_set(config, requests.requests[i].name,
				      requests.requests[i].value, err);
		if (r < 0)
			return r;
	}
	*ret_requests = requests;
	requests = (struct normalise_requests){ 0 };
	return 0;
}

int normalise_assert(const struct kernel_config *config,
		     const struct normalise_requests *requests, struct error *err)
{
	_cleanup_text_ struct text_buffer text = { 0 };
	size_t n_failed = 0;

	for (size_t i = 0; i < requests->n_requests; i++) {
		const struct normalise_request *request = &requests->requests[i];
		const char *value = kernel_config_get(config, request->name);

		if (!request->must_hold)
			continue;
		/* kconfig leaves a symbol out when its dependencies are not met: that is n. */
		if (!strcmp(value ? value : "n", request->value))
			continue;
		text_printf(&text, "%sCONFIG_%s=%s is now %s", n_failed++ ? "; " : "",
			    request->name, request->value, value ? value : "absent");
	}
	if (n_failed == 0)
		return 0;
	return error_set(err, -EPERM,
			 "%zu requested config setting%s did not hold (a dependency is missing, or this tree has no such symbol): %s",
			 n_failed, n_failed == 1 ? "" : "s", text.text);
}
