/* The entry point: registers every SQL function on a connection that loads this library. */
#define _GNU_SOURCE /* dladdr */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1
#include "native.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const Function functions[] = {
    /* [[[cog
    import cog
    from askwhere.udfs import FUNCTIONS
    for f in FUNCTIONS:
        arguments = "".join(f"{a.name}," for a in f.arguments)
        columns = "".join(f"{name} {kind}," for name, kind in f.columns)
        cog.outl(f'    {{"{f.name}", "{f.kind}", {int(f.changes)},\n     "{arguments}",\n     "{columns}"}},')
    ]]] */
    {"ask", "answer", 0,
     "question,model,effort,hint,choose,follows,",
     ""},
    {"ask_candidates", "table", 0,
     "question,model,effort,hint,choose,follows,",
     "rank INTEGER,chosen BOOLEAN,confidence DOUBLE,sql TEXT,n_rows INTEGER,preview TEXT,error TEXT,ms DOUBLE,origin TEXT,notes TEXT,"},
    {"ask_settings", "table", 0,
     "",
     "name TEXT,value TEXT,source TEXT,description TEXT,"},
    {"ask_values", "table", 0,
     "text,k,",
     "table_name TEXT,column_name TEXT,value TEXT,score DOUBLE,exact BOOLEAN,"},
    {"ask_trace", "table", 0,
     "question,follows,",
     "step TEXT,detail TEXT,model TEXT,prompt TEXT,reply TEXT,prompt_tokens INTEGER,completion_tokens INTEGER,ms DOUBLE,"},
    {"ask_log", "table", 0,
     "",
     "time TEXT,question TEXT,sql TEXT,model TEXT,method TEXT,effort TEXT,requests INTEGER,calls INTEGER,tokens INTEGER,cost DOUBLE,seconds DOUBLE,confidence DOUBLE,n_rows INTEGER,outcome TEXT,max_calls INTEGER,follows TEXT,"},
    {"ask_pins", "table", 0,
     "",
     "question TEXT,sql TEXT,pinned_at TEXT,model TEXT,stale BOOLEAN,follows TEXT,"},
    {"ask_keys", "table", 0,
     "",
     "key TEXT,refers_to TEXT,origin TEXT,"},
    {"ask_sql", "scalar", 0,
     "question,model,effort,hint,choose,follows,",
     ""},
    {"ask_value", "scalar", 0,
     "question,model,effort,hint,choose,follows,",
     ""},
    {"ask_schema", "scalar", 0,
     "question,follows,",
     ""},
    {"ask_prompt", "scalar", 0,
     "question,follows,",
     ""},
    {"ask_fix", "scalar", 0,
     "sql,error,",
     ""},
    {"ask_explain", "scalar", 0,
     "sql,",
     ""},
    {"ask_pin", "scalar", 1,
     "question,sql,follows,",
     ""},
    {"ask_unpin", "scalar", 1,
     "question,follows,",
     ""},
    {"ask_key", "scalar", 1,
     "key,refers_to,",
     ""},
    {"ask_set", "scalar", 1,
     "name,value,",
     ""},
    {"ask_index", "scalar", 1,
     "name,",
     ""},
    {"ask_version", "scalar", 0,
     "",
     ""},
    /* [[[end]]] */
    {0, 0, 0, 0, 0}};

static struct {
  pthread_mutex_t lock;
  Host *first;
  sqlite3_int64 last_id;
} hosts = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static pthread_once_t staying = PTHREAD_ONCE_INIT;

typedef struct {
  Host *host;
  const Function *function;
} Scalar;

void hold(Host *host) { host->references++; }

void let_go(void *data) {
  Host *host = data;
  if (--host->references) return;
  pthread_mutex_lock(&hosts.lock);
  for (Host **at = &hosts.first; *at; at = &(*at)->next)
    if (*at == host) {
      *at = host->next;
      break;
    }
  pthread_mutex_unlock(&hosts.lock);
  forget(host);
  sqlite3_free(host->declared);
  sqlite3_free(host->settings);
  sqlite3_free(host);
}

/* A new host, or NULL in *made for a connection that has one. */
static int make_host(sqlite3 *db, Host **made) {
  Host *host = sqlite3_malloc64(sizeof *host);
  *made = 0;
  if (!host) return SQLITE_NOMEM;
  memset(host, 0, sizeof *host);
  host->db = db;
  host->channel = -1;
  pthread_mutex_lock(&hosts.lock);
  Host *one = hosts.first;
  while (one && one->db != db) one = one->next;
  if (!one) {
    host->id = ++hosts.last_id;
    host->next = hosts.first;
    hosts.first = *made = host;
  }
  pthread_mutex_unlock(&hosts.lock);
  if (one) sqlite3_free(host);
  return SQLITE_OK;
}

static void call_scalar(sqlite3_context *context, int argc, sqlite3_value **argv) {
  Scalar *scalar = sqlite3_user_data(context);
  Message request, reply;
  char *error;
  start_message(&request, "call");
  add_text(&request, scalar->function->name);
  for (int i = 0; i < argc; i++) add_value(&request, argv[i]);
  int rc = call_worker(scalar->host, &request, &reply, &error);
  if (rc != SQLITE_OK) {
    sqlite3_result_error(context, error ? error : "interrupted", -1);
    sqlite3_result_error_code(context, rc);
    if (rc == SQLITE_ERROR && error) sqlite3_result_error(context, error, -1);
    sqlite3_free(error);
    return;
  }
  Reader parts = reader(&reply);
  next_text(&parts);
  Value value = next_value(&parts);
  give_result(context, &value);
  const char *settings = next_text(&parts);
  if (settings) {
    sqlite3_free(scalar->host->settings);
    scalar->host->settings = sqlite3_mprintf("%s", settings);
  }
  free_message(&reply);
}

static void drop_scalar(void *data) {
  Scalar *scalar = data;
  let_go(scalar->host);
  sqlite3_free(scalar);
}

static int register_scalar(Host *host, const Function *function) {
  Scalar *scalar = sqlite3_malloc64(sizeof *scalar);
  if (!scalar) return SQLITE_NOMEM;
  scalar->host = host;
  scalar->function = function;
  hold(host);
  /* A view or trigger in somebody's file must not change settings. */
  int flags = SQLITE_UTF8 | (function->changes ? SQLITE_DIRECTONLY : 0);
  return sqlite3_create_function_v2(host->db, function->name, -1, flags, scalar, call_scalar, 0, 0, drop_scalar);
}

/* What is not a function of FUNCTIONS, but is used by queries that an answer is delivered by. */
static const Function decoding = {"askwhere_text", "scalar", 0, "", ""};

/* A child has one thread: who had the locks, for seconds while the worker started, is not in it. */
static void forked(void) {
  static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
  hosts.lock = unlocked;
  unlock_worker();
}

static char *path; /* of this library */

const char *library(void) { return path; }

/* Keeps this library where it is: the worker serves connections that are opened later, too, and a fork calls it. Where it
** is was said from the folder that the host was in: in a later one, another file may have that name. */
static void stay(void) {
  static const char here = 0;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname) return;
  path = realpath(info.dli_fname, 0);
  if (dlopen(info.dli_fname, RTLD_NOW | RTLD_NODELETE)) pthread_atfork(0, 0, forked);
}

/* Whether every call of SQLite's can go to the library that calls us: there is one pointer to them, and its first value
** stays. A process may hold several SQLite libraries. */
static int is_same_sqlite(const sqlite3_api_routines *api) {
  const sqlite3_api_routines *none = 0;
  return __atomic_compare_exchange_n(&sqlite3_api, &none, api, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) || none == api;
}

__attribute__((visibility("default"))) int sqlite3_askwhere_init(sqlite3 *db, char **error,
                                                                 const sqlite3_api_routines *api) {
  Host *host;
  if (!is_same_sqlite(api)) {
    *error = api->mprintf("askwhere serves one SQLite library in a process, and another one has loaded it: let this one"
                          " load a copy, such as askwhere2.so in the same folder");
    return SQLITE_ERROR;
  }
  if (sqlite3_libversion_number() < 3038000) {
    *error = sqlite3_mprintf("askwhere needs SQLite 3.38 or newer, this is %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  if (!sqlite3_api->set_authorizer) {
    *error = sqlite3_mprintf("askwhere needs an SQLite with authorizers, which guard what it runs");
    return SQLITE_ERROR;
  }
  int rc = make_host(db, &host);
  if (rc != SQLITE_OK || !host) return rc;
  pthread_once(&staying, stay);
  hold(host);
  for (const Function *function = functions; rc == SQLITE_OK && function->name; function++)
    rc = strcmp(function->kind, "scalar") ? register_tables(host, function) : register_scalar(host, function);
  if (rc == SQLITE_OK) rc = register_scalar(host, &decoding);
  let_go(host);
  return rc;
}
