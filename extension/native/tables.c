/* The virtual tables: functions that return rows, ask() itself, and answers kept by CREATE VIRTUAL TABLE … USING ask.
**
** A virtual table's columns are fixed when a statement is prepared, but those of an answer are known only when its
** question is, as the statement runs. So ask() that meets an answer with other columns than it declared registers its
** module again, which makes SQLite forget the declaration, and returns SQLITE_SCHEMA: sqlite3_step() then prepares the
** statement again by itself, and ask() declares the right columns.
*/
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "native.h"
#include <string.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#else
#include <link.h>
#endif

typedef struct {
  Host *host;
  const Function *function;
} Module;

typedef struct Cursor Cursor;

typedef struct {
  sqlite3_vtab base;
  Host *host;
  const Function *function;
  char *schema, *name; /* of a stored answer; of others NULL */
  char *declared;
  int columns;         /* the hidden ones, which are the arguments, come after them */
  Cursor *cursors;
} Table;

struct Cursor {
  sqlite3_vtab_cursor base;
  sqlite3_stmt *query; /* of an answer: its rows come from here */
  Message rows;        /* of a function: all of them, each cell found by `cells` */
  Value *cells;
  sqlite3_int64 count, row, most;
  char *too_many;      /* what to say of more than `most` rows */
  sqlite3_int64 length, memory; /* bytes that a value may have, and that the first row may need */
  char *too_long, *too_much;    /* what to say of more */
  int done;
  sqlite3_value *arguments[MOST_ARGUMENTS];
  sqlite3_int64 prepared; /* which preparation its statement was made by */
  Cursor *next;
};

static const char advice[] = "CREATE VIRTUAL TABLE answer USING ask('…'), and SELECT from that";

#ifdef __APPLE__
static int is_loaded(const char *part) {
  for (uint32_t i = 0; i < _dyld_image_count(); i++)
    if (strstr(_dyld_get_image_name(i), part)) return 1;
  return 0;
}
#else
static int has_name(struct dl_phdr_info *info, size_t size, void *part) {
  (void)size;
  return info->dlpi_name && strstr(info->dlpi_name, part) != 0;
}

static int is_loaded(const char *part) { return dl_iterate_phdr(has_name, (void *)part); }
#endif

int declares_late(void) { return is_loaded("libsqlite3odbc"); }

static int say(Table *table, int rc, char *error) {
  sqlite3_free(table->base.zErrMsg);
  table->base.zErrMsg = error ? error : sqlite3_mprintf("%s", rc == SQLITE_INTERRUPT ? "interrupted" : "out of memory");
  return rc;
}

static int count_of(const char *list) {
  int count = 0;
  for (; *list; list++) count += *list == ',';
  return count;
}

/* The n-th of a list with a comma after each, and how long it is. */
static const char *nth(const char *list, int n, int *size) {
  while (n-- > 0) list = strchr(list, ',') + 1;
  *size = (int)(strchr(list, ',') - list);
  return list;
}

/* ---- connect and disconnect */

/* `columns` as a declaration, each with a comma after it, with the function's arguments as hidden columns. */
static int declare(sqlite3 *db, const Function *function, const char *columns, int hidden) {
  char *sql = sqlite3_mprintf("CREATE TABLE answer(%s", columns);
  int size, arguments = hidden ? count_of(function->arguments) : 0;
  for (int i = 0; i < arguments && sql; i++) {
    const char *name = nth(function->arguments, i, &size);
    char *longer = sqlite3_mprintf("%s ask_%.*s HIDDEN,", sql, size, name);
    sqlite3_free(sql);
    sql = longer;
  }
  if (!sql) return SQLITE_NOMEM;
  sql[strlen(sql) - 1] = ')';
  int rc = sqlite3_declare_vtab(db, sql);
  sqlite3_free(sql);
  return rc;
}

static int make(sqlite3 *db, Module *module, const char *columns, int count, const char *schema, const char *name,
                sqlite3_vtab **made, char **error) {
  int rc = declare(db, module->function, columns, !schema);
  if (rc != SQLITE_OK) {
    *error = sqlite3_mprintf("%s", sqlite3_errmsg(db));
    return rc;
  }
  Table *table = sqlite3_malloc64(sizeof *table);
  if (!table) return SQLITE_NOMEM;
  memset(table, 0, sizeof *table);
  table->host = module->host;
  table->function = module->function;
  table->columns = count;
  table->declared = sqlite3_mprintf("%s", columns);
  table->schema = schema ? sqlite3_mprintf("%s", schema) : 0;
  table->name = schema ? sqlite3_mprintf("%s", name) : 0;
  hold(table->host);
  *made = &table->base;
  return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *base) {
  Table *table = (Table *)base;
  let_go(table->host);
  sqlite3_free(table->base.zErrMsg); /* SQLite does not ask for that of a destruction that failed */
  sqlite3_free(table->declared);
  sqlite3_free(table->schema);
  sqlite3_free(table->name);
  sqlite3_free(table);
  return SQLITE_OK;
}

static int connect_function(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **made,
                            char **error) {
  Module *module = data;
  (void)argc, (void)argv;
  return make(db, module, module->function->columns, count_of(module->function->columns), 0, 0, made, error);
}

/* Whether a statement that makes a virtual table is running: then it is the one that is being made. */
static int is_making(Host *host) {
  if (host->depth) return 0; /* it reads the schema to answer the question, and so connects to what is there */
  for (sqlite3_stmt *one = sqlite3_next_stmt(host->db, 0); one; one = sqlite3_next_stmt(host->db, one)) {
    const char *sql = sqlite3_stmt_busy(one) && !sqlite3_stmt_readonly(one) ? sqlite3_sql(one) : 0;
    if (sql && !sqlite3_strlike("%CREATE%VIRTUAL%TABLE%", sql, 0)) return 1;
  }
  return 0;
}

/* Columns of the reply: how many, and their declaration. */
static const char *declared_by(Reader *parts, int *count) {
  sqlite3_int64 found = next_integer(parts);
  *count = found >= 0 && found <= INT16_MAX ? (int)found : 0;
  return next_text(parts);
}

/* Forgets an answer whose columns cannot be those of ask(), so that other questions can be asked; says what to do. */
static void undeclare(Host *host, char **error) {
  char *why = *error;
  sqlite3_free(host->declared);
  host->declared = 0;
  *error = sqlite3_mprintf("ask(): its columns cannot be those of the answer (%s); use %s", why ? why : "out of memory",
                           advice);
  sqlite3_free(why);
}

static int connect_answer(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **made,
                          char **error) {
  Module *module = data;
  Host *host = module->host;
  Message request, reply;
  int count;
  if (argc == 3 && !sqlite3_stricmp(argv[2], module->function->name)) { /* ask() itself */
    const char *known = host->declared ? host->declared : "answer,";
    /* A view keeps the columns that it was first read with, and one in somebody's file must not cost a question. */
    sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    int rc = make(db, module, known, host->declared ? host->columns : 1, 0, 0, made, error);
    if (rc != SQLITE_OK) undeclare(host, error);
    return rc;
  }
  int making = is_making(host);
  start_message(&request, making ? "create" : "connect");
  add_text(&request, argv[1]);
  add_text(&request, argv[2]);
  for (int i = 3; i < argc; i++) add_text(&request, argv[i]);
  host->making += making;
  int rc = call_worker(host, &request, &reply, error);
  host->making -= making;
  if (rc != SQLITE_OK) return rc;
  Reader parts = reader(&reply);
  next_text(&parts);
  const char *columns = declared_by(&parts, &count);
  rc = columns ? make(db, module, columns, count, argv[1], argv[2], made, error) : SQLITE_ERROR;
  free_message(&reply);
  return rc;
}

static int tell_of(Table *table, const char *what, const char *more) {
  Message request, reply;
  char *error;
  start_message(&request, what);
  add_text(&request, table->schema);
  add_text(&request, table->name);
  if (more) add_text(&request, more);
  int rc = call_worker(table->host, &request, &reply, &error);
  if (rc != SQLITE_OK) return say(table, rc, error);
  free_message(&reply);
  return SQLITE_OK;
}

static int destroy(sqlite3_vtab *base) {
  int rc = tell_of((Table *)base, "destroy", 0);
  return rc == SQLITE_OK ? disconnect(base) : rc;
}

static int rename_answer(sqlite3_vtab *base, const char *name) {
  Table *table = (Table *)base;
  int rc = tell_of(table, "rename", name);
  if (rc == SQLITE_OK) {
    sqlite3_free(table->name);
    table->name = sqlite3_mprintf("%s", name);
  }
  return rc;
}

static int update(sqlite3_vtab *base, int argc, sqlite3_value **argv, sqlite3_int64 *rowid) {
  Table *table = (Table *)base;
  (void)argc, (void)argv, (void)rowid;
  const char *name = table->name ? table->name : "ask";
  return say(table, SQLITE_READONLY,
             sqlite3_mprintf("the table %s is read-only: it holds the answer to a question", name));
}

/* ---- plans: which constraints are passed on. A letter for each, its column: 'A' is the first. */

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  Table *table = (Table *)base;
  int used = 0, stored = table->schema != 0;
  char *columns = sqlite3_mprintf("");
  for (int i = 0; i < info->nConstraint && columns; i++) {
    const struct sqlite3_index_constraint *one = &info->aConstraint[i];
    int hidden = one->iColumn >= table->columns;
    if (one->op != SQLITE_INDEX_CONSTRAINT_EQ || one->iColumn < 0) continue;
    if (!one->usable) {
      if (!hidden) continue;
      sqlite3_free(columns);
      return SQLITE_CONSTRAINT; /* an argument that another plan knows */
    }
    if (stored ? strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0 : !hidden) continue;
    char *longer = sqlite3_mprintf("%s%d,", columns, stored ? one->iColumn : one->iColumn - table->columns);
    sqlite3_free(columns);
    columns = longer;
    info->aConstraintUsage[i].argvIndex = ++used;
    info->aConstraintUsage[i].omit = hidden;
  }
  info->idxStr = columns;
  info->needToFreeIdxStr = 1;
  info->idxNum = (int)(table->host->prepared & 0x7fffffff);
  info->estimatedCost = 1e6;
  for (int i = 0; i < used && i < 2; i++) info->estimatedCost /= 1e3;
  return columns ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- cursors */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **opened) {
  Table *table = (Table *)base;
  Cursor *cursor = sqlite3_malloc64(sizeof *cursor);
  if (!cursor) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  cursor->next = table->cursors;
  table->cursors = cursor;
  table->host->prepared++; /* what is prepared from now on is another statement */
  *opened = &cursor->base;
  return SQLITE_OK;
}

static void empty(Cursor *cursor) {
  sqlite3_finalize(cursor->query);
  free_message(&cursor->rows);
  sqlite3_free(cursor->cells);
  sqlite3_free(cursor->too_many);
  sqlite3_free(cursor->too_long);
  sqlite3_free(cursor->too_much);
  for (int i = 0; i < MOST_ARGUMENTS; i++) sqlite3_value_free(cursor->arguments[i]);
  cursor->query = 0;
  cursor->cells = 0;
  cursor->too_many = cursor->too_long = cursor->too_much = 0;
  cursor->count = cursor->row = cursor->most = 0;
  cursor->done = 1;
  memset(cursor->arguments, 0, sizeof cursor->arguments);
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  Cursor *cursor = (Cursor *)base;
  Table *table = (Table *)base->pVtab;
  for (Cursor **at = &table->cursors; *at; at = &(*at)->next)
    if (*at == cursor) {
      *at = cursor->next;
      break;
    }
  empty(cursor);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
  Cursor *cursor = (Cursor *)base;
  Table *table = (Table *)base->pVtab;
  cursor->row++;
  if (!cursor->query) {
    cursor->done = cursor->row > cursor->count;
    return SQLITE_OK;
  }
  const char *stopped;
  /* What is sorted or put into groups has been when the first row is there: a later one needs what its values do. */
  sqlite3_int64 memory = cursor->row == 1 ? cursor->memory : 0;
  int rc = step_within(table->host, cursor->query, (int)cursor->length, memory, &stopped);
  cursor->done = rc != SQLITE_ROW;
  if (rc == SQLITE_TOOBIG && cursor->too_long) return say(table, rc, sqlite3_mprintf("%s", cursor->too_long));
  if (*stopped && cursor->too_much) return say(table, SQLITE_ERROR, sqlite3_mprintf("%s", cursor->too_much));
  if (rc == SQLITE_ROW && cursor->row > cursor->most)
    return say(table, SQLITE_ERROR, sqlite3_mprintf("%s", cursor->too_many ? cursor->too_many : "too many rows"));
  if (rc == SQLITE_ROW || rc == SQLITE_DONE) return SQLITE_OK;
  return say(table, rc, sqlite3_mprintf("%s", sqlite3_errmsg(table->host->db)));
}

static int eof(sqlite3_vtab_cursor *base) { return ((Cursor *)base)->done; }

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *found) {
  *found = ((Cursor *)base)->row;
  return SQLITE_OK;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
  Cursor *cursor = (Cursor *)base;
  Table *table = (Table *)base->pVtab;
  if (number >= table->columns) { /* of a declaration with more columns than were counted, too */
    int place = number - table->columns;
    sqlite3_value *argument = place < MOST_ARGUMENTS ? cursor->arguments[place] : 0;
    if (argument) sqlite3_result_value(context, argument);
  } else if (cursor->query) {
    sqlite3_result_value(context, sqlite3_column_value(cursor->query, number));
  } else {
    give_result(context, &cursor->cells[(cursor->row - 1) * table->columns + number]);
  }
  return SQLITE_OK;
}

/* Keeps the values of the hidden columns, by the plan's list of them, and adds them to the request in order. */
static void take_arguments(Cursor *cursor, Table *table, const char *plan, int argc, sqlite3_value **argv,
                           Message *request) {
  int count = count_of(table->function->arguments);
  for (int i = 0; i < argc && *plan; i++) {
    int place = 0;
    while (*plan && *plan != ',') place = 10 * place + (*plan++ - '0');
    plan++;
    if (place >= count) continue;
    sqlite3_value_free(cursor->arguments[place]);
    cursor->arguments[place] = sqlite3_value_dup(argv[i]);
  }
  while (count && !cursor->arguments[count - 1]) count--; /* those at the end were left out */
  for (int i = 0; i < count; i++) {
    if (cursor->arguments[i])
      add_value(request, cursor->arguments[i]);
    else
      add_null(request);
  }
}

static int filter_function(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv) {
  Cursor *cursor = (Cursor *)base;
  Table *table = (Table *)base->pVtab;
  Message request;
  char *error;
  (void)number;
  empty(cursor);
  start_message(&request, "call");
  add_text(&request, table->function->name);
  take_arguments(cursor, table, plan, argc, argv, &request);
  int rc = call_worker(table->host, &request, &cursor->rows, &error);
  if (rc != SQLITE_OK) return say(table, rc, error);
  Reader parts = reader(&cursor->rows);
  next_text(&parts);
  cursor->count = next_integer(&parts);
  if (cursor->count < 0 || cursor->count > (sqlite3_int64)cursor->rows.size) { /* a cell has a byte at least */
    cursor->count = 0;
    return say(table, SQLITE_ERROR, sqlite3_mprintf("askwhere: the worker sent fewer rows than it said; ask again"));
  }
  sqlite3_int64 cells = cursor->count * table->columns;
  cursor->cells = sqlite3_malloc64((sqlite3_uint64)(cells + 1) * sizeof *cursor->cells);
  if (!cursor->cells) return SQLITE_NOMEM;
  for (sqlite3_int64 i = 0; i < cells; i++) cursor->cells[i] = next_value(&parts);
  return next(base);
}

/* The query that the worker delivers, begun. */
static int begin(Cursor *cursor, Table *table, Message *request, Message *reply) {
  sqlite3_stmt **before = table->host->delivered;
  char *error;
  table->host->delivered = &cursor->query;
  int rc = call_worker(table->host, request, reply, &error);
  table->host->delivered = before;
  return rc == SQLITE_OK ? rc : say(table, rc, error);
}

static int run(Cursor *cursor, Table *table, Reader *parts) {
  if (!cursor->query) return say(table, SQLITE_ERROR, sqlite3_mprintf("askwhere: the worker delivered no query"));
  cursor->most = next_integer(parts);
  cursor->too_many = sqlite3_mprintf("%s", next_text(parts));
  cursor->length = next_integer(parts);
  cursor->memory = next_integer(parts);
  cursor->too_long = sqlite3_mprintf("%s", next_text(parts));
  cursor->too_much = sqlite3_mprintf("%s", next_text(parts));
  return next(&cursor->base);
}

/* Whether another ask() of the same statement, or this one before, has given rows of the columns as they are: preparing
** the statement again would give them twice. All that one statement asks was planned without a cursor being opened in
** between. */
static int would_repeat(Table *table, Cursor *mine) {
  for (Cursor *one = table->cursors; one; one = one->next)
    if (one->query && one != mine && one->prepared == mine->prepared) return 1;
  return 0;
}

static int filter_ask(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv) {
  Cursor *cursor = (Cursor *)base;
  Table *table = (Table *)base->pVtab;
  Host *host = table->host;
  Message request, reply;
  int count, asked_before = cursor->query != 0;
  empty(cursor);
  cursor->prepared = number;
  start_message(&request, "ask");
  add_text(&request, table->declared);
  take_arguments(cursor, table, plan, argc, argv, &request);
  int rc = begin(cursor, table, &request, &reply);
  if (rc != SQLITE_OK) return rc;
  Reader parts = reader(&reply);
  next_text(&parts);
  const char *columns = declared_by(&parts, &count);
  int dynamic = next_integer(&parts) && !declares_late();
  if (!columns) {
    rc = run(cursor, table, &parts);
  } else if (!dynamic) {
    rc = say(table, SQLITE_ERROR,
             sqlite3_mprintf("ask(): this host wants to know the columns before the question is answered; use %s", advice));
  } else if (asked_before || would_repeat(table, cursor)) {
    rc = say(table, SQLITE_ERROR,
             sqlite3_mprintf("ask(): one statement can hold one question; for each of several use %s", advice));
  } else {
    sqlite3_free(host->declared);
    host->declared = sqlite3_mprintf("%s", columns);
    host->columns = count;
    rc = register_tables(host, table->function);
    if (rc == SQLITE_OK) rc = SQLITE_SCHEMA;
  }
  free_message(&reply);
  return rc;
}

static int filter_stored(sqlite3_vtab_cursor *base, const char *plan, int argc, sqlite3_value **argv) {
  Cursor *cursor = (Cursor *)base;
  Table *table = (Table *)base->pVtab;
  Message request, reply;
  empty(cursor);
  start_message(&request, "scan");
  add_text(&request, table->schema);
  add_text(&request, table->name);
  add_text(&request, plan);
  for (int i = 0; i < argc; i++) add_value(&request, argv[i]);
  int rc = begin(cursor, table, &request, &reply);
  if (rc != SQLITE_OK) return rc;
  Reader parts = reader(&reply);
  next_text(&parts);
  rc = run(cursor, table, &parts);
  free_message(&reply);
  return rc;
}

static int filter_answer(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv) {
  if (((Table *)base->pVtab)->schema) return filter_stored(base, plan, argc, argv);
  return filter_ask(base, number, plan, argc, argv);
}

static const sqlite3_module of_function = {
    .xConnect = connect_function,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter_function,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = rowid,
};

/* That it creates as it connects makes it a table that is there without being created, too. */
static const sqlite3_module of_answer = {
    .iVersion = 1,
    .xCreate = connect_answer,
    .xConnect = connect_answer,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = destroy,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter_answer,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = rowid,
    .xUpdate = update,
    .xRename = rename_answer,
};

static void drop_module(void *data) {
  Module *module = data;
  let_go(module->host);
  sqlite3_free(module);
}

int register_tables(Host *host, const Function *function) {
  Module *module = sqlite3_malloc64(sizeof *module);
  if (!module) return SQLITE_NOMEM;
  module->host = host;
  module->function = function;
  hold(host);
  const sqlite3_module *methods = strcmp(function->kind, "answer") ? &of_function : &of_answer;
  return sqlite3_create_module_v2(host->db, function->name, methods, module, drop_module);
}
