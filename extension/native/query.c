/* Queries that the worker wants run on the host's own connection, guarded where their SQL was generated.
**
** A guarded query is prepared under an authorizer that asks the worker about every table, column and function, and runs
** with limits on time and memory. The host may have an authorizer and a progress handler of its own: they are asked as
** well, and are in place again afterwards.
*/
#include "native.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#define BATCH (1 << 20) /* bytes of rows in one message, about */
#define OPERATIONS 2000 /* of SQLite's virtual machine between two looks at the clock */
#define LATE 1.0 /* seconds after the deadline until a statement is interrupted that does not look at the clock */
#define ROOM (64 << 20) /* bytes that may be added between two looks at the memory */
#define LONGEST 1e9     /* seconds that a query may be given */
#define FARTHEST 8192   /* bytes of SQLite's own structure in which a handler is looked for */

struct Statement {
  sqlite3_int64 id;
  sqlite3_stmt *prepared;
  int guarded;
  int length;           /* bytes that a value may have; 0 for no limit */
  double deadline;      /* in seconds of the monotonic clock; 0 for none */
  sqlite3_int64 memory; /* see `used`; 0 for no limit */
  Statement *next;
};

typedef struct {
  void *function, *argument;
  int operations; /* of a progress handler: how often it is called */
} Handler;

/* For an SQLite that was built without progress handlers: a thread that interrupts it. */
typedef struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  sqlite3 *db;
  struct timespec until;
  int started, ended, fired;
} Timer;

typedef struct {
  Host *host;
  Statement *statement;
  Timer timer;
  int authorizes; /* in place of the host's own authorizer */
  int running; /* it is prepared; what is asked now comes from a virtual table that reads tables of its own */
  int length;  /* of a value, as the host allows it */
  int looks;   /* operations between two of them */
  int passed;  /* operations since the host's own progress handler was called */
  int unread;  /* operations since the clock was read */
  const char *stopped; /* why, '' where it was not by us */
  Handler authorizer, progress;
} Guard;

typedef int (*Authorize)(void *, int, const char *, const char *, const char *, const char *);
typedef int (*Progress)(void *);

/* --------------------------------------------------------------------------- the host's own handlers
** SQLite tells nobody which handlers are set, and keeps one of each. So it is learnt, from a connection of our own,
** where in its structure a handler stands: a function and its argument, one after the other.
*/

static pthread_once_t learning = PTHREAD_ONCE_INIT;
static int authorizer_at = -1, progress_at = -1;

static int deny(void *u, int a, const char *b, const char *c, const char *d, const char *e) {
  (void)u, (void)a, (void)b, (void)c, (void)d, (void)e;
  return SQLITE_DENY;
}

static int go_on(void *unused) {
  (void)unused;
  return 0;
}

static int place_of(sqlite3 *db, void *function, void *argument) {
  void *pair[2] = {function, argument};
  for (int at = 0; at < FARTHEST; at += (int)sizeof(void *))
    if (!memcmp((const char *)db + at, pair, sizeof pair)) return at;
  return -1;
}

static void learn(void) {
  static char mark;
  sqlite3 *db = 0;
  if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 0) == SQLITE_OK) {
    sqlite3_set_authorizer(db, deny, &mark);
    authorizer_at = place_of(db, (void *)deny, &mark);
    if (sqlite3_api->progress_handler) {
      sqlite3_progress_handler(db, OPERATIONS, go_on, &mark);
      progress_at = place_of(db, (void *)go_on, &mark);
    }
  }
  sqlite3_close(db);
}

static Handler handler_at(sqlite3 *db, int at, int with_operations) {
  Handler found = {0, 0, 0};
  if (at < 0) return found;
  memcpy(&found.function, (const char *)db + at, sizeof(void *));
  memcpy(&found.argument, (const char *)db + at + sizeof(void *), sizeof(void *));
  if (with_operations) memcpy(&found.operations, (const char *)db + at + 2 * sizeof(void *), sizeof(int));
  return found;
}

static int call_progress(Handler handler) {
  Progress function;
  memcpy(&function, &handler.function, sizeof function);
  return function && function(handler.argument);
}

int was_interrupted(Host *host) {
  sqlite3_stmt *probe = 0;
  pthread_once(&learning, learn);
  /* Any statement stops at once on an interrupted connection; sqlite3_is_interrupted() is newer than 3.38. One that the
  ** host has closed, as its handler may, prepares none; and what its handler was is freed. */
  int rc = sqlite3_prepare_v2(host->db, "SELECT 1", -1, &probe, 0);
  if (rc == SQLITE_OK) rc = sqlite3_step(probe);
  sqlite3_finalize(probe);
  if (rc == SQLITE_INTERRUPT || rc == SQLITE_MISUSE) return 1;
  return call_progress(handler_at(host->db, progress_at, 0));
}

/* ------------------------------------------------------------------------------------------ the guard */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int authorize(void *data, int action, const char *a, const char *b, const char *schema, const char *view) {
  Guard *guard = data;
  Host *host = guard->host;
  Authorize users;
  Message request, reply = {0, 0, 0, 0};
  int allowed = 0;
  memcpy(&users, &guard->authorizer.function, sizeof users);
  if (users && users(guard->authorizer.argument, action, a, b, schema, view) != SQLITE_OK) return SQLITE_DENY;
  if (guard->running) {
    int reads = action == SQLITE_READ || action == SQLITE_SELECT || action == SQLITE_FUNCTION ||
                action == SQLITE_RECURSIVE;
    return reads || (action == SQLITE_PRAGMA && a && !strcmp(a, "data_version")) ? SQLITE_OK : SQLITE_DENY;
  }
  start_message(&request, "authorize");
  add_integer(&request, action);
  add_text(&request, a);
  add_text(&request, b);
  add_text(&request, schema);
  add_text(&request, view);
  host->authorizing++;
  if (converse(host, &request, &reply) == SQLITE_OK) {
    Reader parts = reader(&reply);
    allowed = !strcmp(next_text(&parts), "reply") && next_integer(&parts) == 1;
    free_message(&reply);
  }
  host->authorizing--;
  return allowed ? SQLITE_OK : SQLITE_DENY;
}

/* While a virtual table is made: undoing what the host's statement has changed would free the table that it makes. */
static int stay_within(void *data, int action, const char *a, const char *b, const char *schema, const char *view) {
  Guard *guard = data;
  Authorize users;
  memcpy(&users, &guard->authorizer.function, sizeof users);
  if (action == SQLITE_TRANSACTION || action == SQLITE_SAVEPOINT) return SQLITE_DENY;
  return users ? users(guard->authorizer.argument, action, a, b, schema, view) : SQLITE_OK;
}

/* Bytes that SQLite uses, but for the pages that the connection keeps: how many those may be is the host's to say. */
static sqlite3_int64 used(sqlite3 *db) {
  int pages = 0, most = 0;
  sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_USED, &pages, &most, 0);
  return sqlite3_memory_used() - pages;
}

static int watch(void *data) {
  Guard *guard = data;
  Statement *statement = guard->statement;
  guard->unread += guard->looks;
  if (guard->unread >= OPERATIONS) {
    guard->unread = 0;
    if (statement->deadline > 0 && now() > statement->deadline) guard->stopped = "time";
  }
  /* SQLite's memory with the host's pages is known at once. */
  if (statement->memory > 0 && sqlite3_memory_used() > statement->memory && used(guard->host->db) > statement->memory)
    guard->stopped = "memory";
  guard->passed += guard->looks;
  if (guard->progress.function && guard->passed >= guard->progress.operations) {
    guard->passed = 0;
    if (call_progress(guard->progress)) return 1;
  }
  return *guard->stopped != 0;
}

static void *ring(void *data) {
  Timer *timer = data;
  pthread_mutex_lock(&timer->lock);
  while (!timer->ended && !timer->fired)
    timer->fired = pthread_cond_timedwait(&timer->changed, &timer->lock, &timer->until) == ETIMEDOUT;
  if (timer->fired && !timer->ended) sqlite3_interrupt(timer->db);
  pthread_mutex_unlock(&timer->lock);
  return 0;
}

static void start_timer(Timer *timer, sqlite3 *db, double seconds) {
  clock_gettime(CLOCK_REALTIME, &timer->until);
  double nanoseconds = (double)timer->until.tv_nsec + 1e9 * (seconds > 0 ? seconds : 0);
  timer->until.tv_sec += (time_t)(nanoseconds / 1e9);
  timer->until.tv_nsec = (long)(nanoseconds - 1e9 * (double)(time_t)(nanoseconds / 1e9));
  timer->db = db;
  pthread_mutex_init(&timer->lock, 0);
  pthread_cond_init(&timer->changed, 0);
  timer->started = pthread_create(&timer->thread, 0, ring, timer) == 0;
}

static int end_timer(Timer *timer) {
  if (timer->started) {
    pthread_mutex_lock(&timer->lock);
    timer->ended = 1;
    pthread_cond_signal(&timer->changed);
    pthread_mutex_unlock(&timer->lock);
    pthread_join(timer->thread, 0);
  }
  pthread_mutex_destroy(&timer->lock);
  pthread_cond_destroy(&timer->changed);
  return timer->fired;
}

static int is_watched(const Statement *statement) { return statement->deadline > 0 || statement->memory > 0; }

static int is_timed(const Statement *statement) { return statement->deadline > 0 && statement->guarded; }

/* So many that a program which makes a value with each adds no more than there is room for. */
static int looks_at(const Statement *statement) {
  if (statement->memory <= 0 || statement->length <= ROOM / OPERATIONS) return OPERATIONS;
  return statement->length < ROOM ? ROOM / statement->length : 1;
}

static void put_up(Guard *guard, Host *host, Statement *statement) {
  memset(guard, 0, sizeof *guard);
  pthread_once(&learning, learn);
  guard->host = host;
  guard->statement = statement;
  guard->stopped = "";
  guard->authorizer = handler_at(host->db, authorizer_at, 0);
  guard->progress = handler_at(host->db, progress_at, 1);
  guard->authorizes = statement->guarded || host->making;
  if (guard->authorizes) sqlite3_set_authorizer(host->db, statement->guarded ? authorize : stay_within, guard);
  guard->looks = looks_at(statement);
  guard->length = sqlite3_limit(host->db, SQLITE_LIMIT_LENGTH, -1);
  if (statement->length > 0 && statement->length < guard->length)
    sqlite3_limit(host->db, SQLITE_LIMIT_LENGTH, statement->length);
  int watches = is_watched(statement) && sqlite3_api->progress_handler;
  if (watches) sqlite3_progress_handler(host->db, guard->looks, watch, guard);
  if (is_timed(statement)) start_timer(&guard->timer, host->db, statement->deadline - now() + (watches ? LATE : 0));
}

static void take_down(Guard *guard) {
  sqlite3 *db = guard->host->db;
  Authorize users;
  Progress progress;
  memcpy(&users, &guard->authorizer.function, sizeof users);
  memcpy(&progress, &guard->progress.function, sizeof progress);
  if (guard->authorizes) sqlite3_set_authorizer(db, users, guard->authorizer.argument);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, guard->length);
  if (is_watched(guard->statement) && sqlite3_api->progress_handler)
    sqlite3_progress_handler(db, guard->progress.operations, progress, guard->progress.argument);
  if (is_timed(guard->statement) && end_timer(&guard->timer))
    guard->host->late = 1; /* the host's own statement is interrupted with it: the question has ended */
}

int step_within(Host *host, sqlite3_stmt *query, int length, sqlite3_int64 memory, const char **stopped) {
  Statement statement;
  Guard guard;
  memset(&statement, 0, sizeof statement);
  if (memory > 0 && memory < INT64_MAX / 2) statement.memory = used(host->db) + memory;
  statement.length = length;
  put_up(&guard, host, &statement);
  int rc = sqlite3_step(query);
  take_down(&guard);
  *stopped = guard.stopped;
  return rc;
}

/* ------------------------------------------------------------------------------------------- queries */

static void drop(Host *host, Statement *statement) {
  for (Statement **at = &host->statements; *at; at = &(*at)->next)
    if (*at == statement) {
      *at = statement->next;
      break;
    }
  sqlite3_finalize(statement->prepared);
  sqlite3_free(statement);
}

void drop_statements(Host *host) {
  while (host->statements) drop(host, host->statements);
}

/* A worker that ended may have left a change half made: it began a transaction, or in the host's own one a savepoint. */
void undo(Host *host) {
  if (host->alone && !sqlite3_get_autocommit(host->db))
    sqlite3_exec(host->db, "ROLLBACK", 0, 0, 0);
  else if (host->saved)
    sqlite3_exec(host->db, "ROLLBACK TO askwhere; RELEASE askwhere", 0, 0, 0);
  host->saved = 0;
}

static int failed(Host *host, int rc, const char *stopped) {
  Message reply;
  start_message(&reply, "reply");
  add_text(&reply, "failed");
  add_integer(&reply, sqlite3_extended_errcode(host->db) & 0xff ? sqlite3_extended_errcode(host->db) : rc);
  add_text(&reply, stopped);
  add_text(&reply, sqlite3_errmsg(host->db));
  return send_message(host, &reply);
}

/* Prepares all of a script and runs it but for its last statement, which *last is; what the others return is lost. */
static int prepare(Host *host, const char *sql, sqlite3_stmt **last, int alone, int *more) {
  const char *rest = sql;
  int rc = SQLITE_OK;
  *last = 0;
  *more = 0;
  while (rc == SQLITE_OK && *rest) {
    sqlite3_stmt *next = 0;
    rc = sqlite3_prepare_v2(host->db, rest, -1, &next, &rest);
    if (rc != SQLITE_OK || !next) continue;
    if (*last && alone) {
      *more = 1;
      sqlite3_finalize(next);
      break;
    }
    if (*last) {
      while (sqlite3_step(*last) == SQLITE_ROW) continue;
      rc = sqlite3_finalize(*last);
    }
    *last = next;
  }
  return rc;
}

/* Adds rows to the reply until `most` or the size of a batch is reached; *done where they are at their end. */
static int add_rows(Statement *statement, Message *reply, sqlite3_int64 most, int *done) {
  int columns = sqlite3_column_count(statement->prepared), rc = SQLITE_ROW;
  while (most-- > 0 && reply->size < BATCH && (rc = sqlite3_step(statement->prepared)) == SQLITE_ROW)
    for (int i = 0; i < columns; i++) add_column(reply, statement->prepared, i);
  *done = rc == SQLITE_DONE;
  return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void describe(sqlite3_stmt *prepared, int more, Message *reply) {
  int columns = sqlite3_column_count(prepared);
  add_integer(reply, prepared && sqlite3_stmt_readonly(prepared));
  add_integer(reply, prepared && sqlite3_stmt_isexplain(prepared));
  add_integer(reply, more);
  add_integer(reply, sqlite3_bind_parameter_count(prepared));
  add_integer(reply, columns);
  for (int i = 0; i < columns; i++) add_text(reply, sqlite3_column_name(prepared, i));
  for (int i = 0; i < columns; i++) add_text(reply, sqlite3_api->column_decltype ? sqlite3_column_decltype(prepared, i) : 0);
}

/* The length of a value is the statement's, which may go on later. */
static void set_limits(sqlite3 *db, Reader *limits, int count, int *before, Statement *statement) {
  for (int i = 0; i < count; i++) {
    int which = (int)next_integer(limits), most = (int)next_integer(limits);
    if (which == SQLITE_LIMIT_LENGTH) statement->length = most;
    before[2 * i] = which;
    before[2 * i + 1] = sqlite3_limit(db, which, -1);
    if (most < before[2 * i + 1]) sqlite3_limit(db, which, most);
  }
}

/* exec: how, seconds, memory, rows, limits, sql, parameters. How is 'read', 'guarded', or 'deliver' for a guarded query
** that is left to the cursor that waits for it. */
static int execute(Host *host, Reader *request) {
  const char *how = next_text(request), *sql;
  double seconds = next_real(request);
  if (!(seconds < LONGEST)) seconds = LONGEST;
  sqlite3_int64 memory = next_integer(request), most = next_integer(request);
  int limits = (int)next_integer(request), before[32], more = 0, done = 0, sent;
  Statement *statement = sqlite3_malloc64(sizeof *statement);
  Message reply;
  Guard guard;
  if (!statement || !how || limits > 16) {
    sqlite3_free(statement);
    return SQLITE_ERROR;
  }
  memset(statement, 0, sizeof *statement);
  statement->id = ++host->next_statement;
  statement->guarded = strcmp(how, "read") != 0;
  statement->deadline = seconds > 0 ? now() + seconds : 0;
  statement->memory = memory > 0 && memory < INT64_MAX / 2 ? used(host->db) + memory : 0;
  statement->next = host->statements;
  host->statements = statement;
  set_limits(host->db, request, limits, before, statement);
  sql = next_text(request);
  start_message(&reply, "reply");
  add_text(&reply, "rows");
  add_integer(&reply, statement->id);
  put_up(&guard, host, statement);
  int rc = prepare(host, sql ? sql : "", &statement->prepared, statement->guarded, &more);
  guard.running = 1;
  int parameters = (int)next_integer(request);
  for (int i = 1; rc == SQLITE_OK && i <= parameters; i++) {
    Value value = next_value(request);
    rc = bind_parameter(statement->prepared, i, &value);
  }
  int unsafe = statement->guarded && (more || !sqlite3_column_count(statement->prepared) ||
                                      !sqlite3_stmt_readonly(statement->prepared) ||
                                      sqlite3_stmt_isexplain(statement->prepared) ||
                                      sqlite3_bind_parameter_count(statement->prepared) != parameters);
  if (rc == SQLITE_OK) {
    describe(statement->prepared, more, &reply);
    if (!unsafe && statement->prepared && most > 0) rc = add_rows(statement, &reply, most, &done);
  }
  take_down(&guard);
  for (int i = 0; i < limits; i++) sqlite3_limit(host->db, before[2 * i], before[2 * i + 1]);
  if (rc == SQLITE_OK && sql && !strcmp(sql, "SAVEPOINT askwhere")) host->saved = 1;
  if (rc == SQLITE_OK && sql && strstr(sql, "RELEASE askwhere")) host->saved = 0;
  if (rc != SQLITE_OK) {
    free_message(&reply);
    sent = failed(host, rc, guard.stopped);
  } else {
    add_text(&reply, done || !statement->prepared ? "end" : "more");
    sent = send_message(host, &reply);
  }
  if (rc == SQLITE_OK && !unsafe && !strcmp(how, "deliver") && host->delivered) {
    sqlite3_finalize(*host->delivered);
    *host->delivered = statement->prepared;
    statement->prepared = 0;
  }
  if (rc != SQLITE_OK || done || unsafe || !statement->prepared || most == 0) drop(host, statement);
  return rc == SQLITE_INTERRUPT && !*guard.stopped ? SQLITE_INTERRUPT : sent;
}

/* more: statement, rows. */
static int go_on_with(Host *host, Reader *request) {
  sqlite3_int64 id = next_integer(request), most = next_integer(request);
  Statement *statement = host->statements;
  Message reply;
  Guard guard;
  int done = 0, sent;
  while (statement && statement->id != id) statement = statement->next;
  if (!statement) return SQLITE_ERROR;
  start_message(&reply, "reply");
  add_text(&reply, "rows");
  put_up(&guard, host, statement);
  guard.running = 1;
  int rc = add_rows(statement, &reply, most, &done);
  take_down(&guard);
  if (rc != SQLITE_OK) {
    free_message(&reply);
    sent = failed(host, rc, guard.stopped);
  } else {
    add_text(&reply, done ? "end" : "more");
    sent = send_message(host, &reply);
  }
  if (rc != SQLITE_OK || done) drop(host, statement);
  return rc == SQLITE_INTERRUPT && !*guard.stopped ? SQLITE_INTERRUPT : sent;
}

static int stop(Host *host, Reader *request) {
  sqlite3_int64 id = next_integer(request);
  Statement *statement = host->statements;
  Message reply;
  while (statement && statement->id != id) statement = statement->next;
  if (statement) drop(host, statement);
  start_message(&reply, "reply");
  return send_message(host, &reply);
}

/* state: of the connection, and of one of its databases. */
static int state(Host *host, Reader *request) {
  const char *schema = next_text(request);
  Message reply;
  start_message(&reply, "reply");
  add_integer(&reply, !sqlite3_get_autocommit(host->db));
  add_integer(&reply, sqlite3_txn_state(host->db, schema));
  add_integer(&reply, sqlite3_total_changes64(host->db));
  add_integer(&reply, sqlite3_db_readonly(host->db, schema) == 1);
  return send_message(host, &reply);
}

int serve(Host *host, const char *what, Reader *request) {
  if (host->authorizing && strcmp(what, "log")) return SQLITE_ERROR; /* the connection must not be used meanwhile */
  if (!strcmp(what, "exec")) return execute(host, request);
  if (!strcmp(what, "more")) return go_on_with(host, request);
  if (!strcmp(what, "stop")) return stop(host, request);
  if (!strcmp(what, "state")) return state(host, request);
  if (!strcmp(what, "log")) {
    const char *text = next_text(request);
    sqlite3_log(SQLITE_NOTICE, "askwhere: %s", text ? text : "");
    return SQLITE_OK;
  }
  return SQLITE_ERROR;
}
