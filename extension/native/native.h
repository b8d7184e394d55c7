/* What the four C files share. The extension registers, calls up, runs queries for the caller, and reports errors;
** everything else is Python, in a worker process. */
#ifndef ASKWHERE_NATIVE_H
#define ASKWHERE_NATIVE_H

#include <sqlite3ext.h>
#include <stdint.h>
#include <stddef.h>
SQLITE_EXTENSION_INIT3

/* [[[cog
import askwhere, cog
from askwhere.udfs import FUNCTIONS
cog.outl(f'#define ASKWHERE_VERSION "{askwhere.__version__}"')
cog.outl(f"#define MOST_ARGUMENTS {max(len(f.arguments) for f in FUNCTIONS)}")
]]] */
#define ASKWHERE_VERSION "0.1.0"
#define MOST_ARGUMENTS 6
/* [[[end]]] */

/* ---- messages (message.c): a length, then values, each a letter and its content; Python's side is bindings/loadable/channel.py */

typedef struct {
  unsigned char *bytes;
  size_t size, room;
  int failed; /* out of memory: nothing more is added, and it is not sent */
} Message;

void start_message(Message *message, const char *what);
void add_null(Message *message);
void add_integer(Message *message, sqlite3_int64 value);
void add_text(Message *message, const char *text); /* NULL is null */
void add_bytes(Message *message, char kind, const void *bytes, size_t size); /* kind 't' or 'b' */
void add_value(Message *message, sqlite3_value *value);
void add_column(Message *message, sqlite3_stmt *statement, int column);
void free_message(Message *message);

typedef struct {
  char kind; /* 'n', 'i', 'f', 't' or 'b'; 0 at the end of the message */
  sqlite3_int64 integer;
  double real;
  const char *bytes; /* ends with a NUL that size does not count */
  size_t size;
} Value;

typedef struct {
  const unsigned char *at, *end;
} Reader;

Reader reader(const Message *message);
Value next_value(Reader *reader);
sqlite3_int64 next_integer(Reader *reader);
double next_real(Reader *reader);
const char *next_text(Reader *reader); /* NULL where it is no text */
void give_result(sqlite3_context *context, const Value *value);
int bind_parameter(sqlite3_stmt *statement, int place, const Value *value);

/* ---- one connection of the host */

typedef struct Statement Statement;

typedef struct Host {
  sqlite3 *db;
  sqlite3_int64 id;
  int references;       /* functions and modules that hold it */
  int channel;          /* socket to the worker's thread for this connection, -1 for none */
  uint64_t inode;       /* of that socket */
  unsigned worker;      /* which worker that is */
  int depth;            /* calls that are under way, one inside the other */
  int making;           /* a statement that makes a virtual table is running: no transaction begins or ends */
  int authorizing;      /* SQLite asks whether it may: it must not be used until that is answered */
  char *declared;       /* what ask() last declared its columns to be, each with a comma after it */
  int columns;          /* how many those are */
  sqlite3_int64 prepared; /* counts up from one statement's preparation to the next; see tables.c */
  Statement *statements;  /* queries that the worker reads from */
  sqlite3_int64 next_statement;
  sqlite3_stmt **delivered; /* where the call under way wants the query that it delivers */
  int alone, saved;     /* no transaction was open as the call began; the worker has set its savepoint */
  int late;             /* a query was interrupted for its time, and the host's statement with it */
  char *settings;           /* what ask_set changed, as the worker wrote it, for the next worker */
  struct Host *next;
} Host;

void hold(Host *host);
void let_go(void *host);

/* ---- the worker (worker.c) */

/* The worker's reply to a request, which is freed. SQLITE_OK, or an error's code with its text in *error. While it is
** awaited, the worker's own requests are served. */
int call_worker(Host *host, Message *request, Message *reply, char **error);
/* The same without opening a socket first, for what is asked inside of one of the worker's own requests. */
int converse(Host *host, Message *request, Message *reply);
int send_message(Host *host, Message *message); /* and free it */
void forget(Host *host); /* the connection is gone, and its session with it */
void unlock_worker(void); /* in a child that was forked while another thread had the lock */

/* ---- queries for the worker (query.c) */

/* Serves one request; SQLITE_INTERRUPT where the user stopped it, SQLITE_ERROR where the channel is gone. */
int serve(Host *host, const char *what, Reader *request);
void drop_statements(Host *host);
void undo(Host *host);
int was_interrupted(Host *host); /* by sqlite3_interrupt, or by the host's own progress handler */
/* sqlite3_step where no value is longer, and no more memory is added unless that is 0; 'memory' in *stopped where it
** stopped for that. */
int step_within(Host *host, sqlite3_stmt *query, int length, sqlite3_int64 memory, const char **stopped);

/* ---- functions and tables (askwhere.c, tables.c) */

typedef struct {
  const char *name, *kind; /* 'answer', 'table' or 'scalar' */
  int changes;
  const char *arguments; /* names with a comma after each */
  const char *columns;   /* as declared, with a comma after each */
} Function;

extern const Function functions[];
int register_tables(Host *host, const Function *function);
const char *library(void); /* this library's path when it was loaded, NULL where that is not known */
int declares_late(void); /* whether a driver in this process reads columns before the first step */

#endif
