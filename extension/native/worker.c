/* The worker process: where it is, how it starts, and the sockets it is spoken to through.
**
** One process serves every connection of the host. The control socket is its standard input: it carries the start and
** the end of connections, and when it closes, because the host has closed it or is gone, the worker ends. Each
** connection has a socket of its own, so that one that waits for a model keeps no other waiting.
*/
#define _GNU_SOURCE /* dladdr, and of what there is in <sys/syscall.h> close_range */
#include "native.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS 50          /* how often a wait looks whether the user has stopped it */
#define START_MS 60000      /* for Python to start on a slow disk */
#define ENDING_MS 100       /* between the first and the last file that a process closes as it ends */
#define SILENT_MS 10000     /* the worker says every second that it is alive */
#define ALIVE_S 3600        /* for how long it may say only that, where it does not tell */
#define MOST_ALIVE_S 604800 /* of what it may tell */
#define DEEPEST 16           /* calls, one inside the other: the worker reads tables that call it again */
#define NO_PROCESS "the system starts no more processes for this user: raise the limit (`ulimit -u`)"
#define MOST_SAID 2000      /* of what a worker that does not start writes as its errors */
#define MOST_ASKED (64 << 20) /* bytes of a request: a worker that reads more is silent for too long, for all connections */

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { LOST = -1, STOPPED = -2, SILENT = -3, STUCK = -4 }; /* how a transfer may end, beside OK = 0 */

extern char **environ;

static struct {
  pthread_mutex_t lock;
  int control;     /* -1 while there is none */
  uint64_t inode;  /* of that socket */
  pid_t pid, host; /* its process, and ours: a forked child has no worker yet */
  unsigned number; /* of workers so far */
} worker = {PTHREAD_MUTEX_INITIALIZER, -1, 0, 0, 0, 0};

/* ------------------------------------------------------------------------------------------------- sockets */

/* Waits until `socket` is ready. `spent` counts the milliseconds since something was transferred. */
static int wait_for(Host *host, int socket, short events, int *spent, int most) {
  for (;;) {
    struct pollfd one = {socket, events, 0};
    int ready = poll(&one, 1, LOOK_MS);
    if (ready > 0) return SQLITE_OK;
    if (ready < 0 && errno != EINTR) return LOST;
    if (host && !host->authorizing && was_interrupted(host)) return STOPPED;
    if (ready == 0 && (*spent += LOOK_MS) >= most) return SILENT;
  }
}

static int send_all(Host *host, int socket, const unsigned char *bytes, size_t size) {
  int spent = 0, rc;
  while (size) {
    ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes += sent;
      size -= (size_t)sent;
      spent = 0;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if ((rc = wait_for(host, socket, POLLOUT, &spent, SILENT_MS)) != SQLITE_OK) return rc;
    } else if (errno != EINTR) {
      return LOST;
    }
  }
  return SQLITE_OK;
}

static int receive_all(Host *host, int socket, unsigned char *bytes, size_t size, int most) {
  int spent = 0, rc;
  while (size) {
    ssize_t got = recv(socket, bytes, size, MSG_DONTWAIT);
    if (got > 0) {
      bytes += got;
      size -= (size_t)got;
      spent = 0;
    } else if (got == 0) {
      return LOST;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if ((rc = wait_for(host, socket, POLLIN, &spent, most)) != SQLITE_OK) return rc;
    } else if (errno != EINTR) {
      return LOST;
    }
  }
  return SQLITE_OK;
}

static int receive(Host *host, int socket, Message *message, int most) {
  uint32_t length;
  int rc = receive_all(host, socket, (unsigned char *)&length, sizeof length, most);
  memset(message, 0, sizeof *message);
  if (rc != SQLITE_OK) return rc;
  message->bytes = sqlite3_malloc64((sqlite3_uint64)length + 1);
  if (!message->bytes) return LOST;
  message->size = length;
  rc = receive_all(host, socket, message->bytes, length, most);
  if (rc != SQLITE_OK) free_message(message);
  return rc;
}

static int send_to(Host *host, int socket, Message *message) {
  uint32_t length = (uint32_t)(message->size - sizeof length);
  int rc = LOST;
  if (!message->failed && socket >= 0) {
    memcpy(message->bytes, &length, sizeof length);
    rc = send_all(host, socket, message->bytes, message->size);
  }
  free_message(message);
  return rc;
}

int send_message(Host *host, Message *message) { return send_to(host, host->channel, message); }

/* The two ends of a pipe or of sockets. What the host starts does not inherit them. None is in the place of a standard
** file, which the host may have closed, and write to later on. */
static int make_ends(int ends[2], int piped) {
#ifdef SOCK_CLOEXEC
  if (piped ? pipe2(ends, O_CLOEXEC) : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return 0;
#else
  if (piped ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 0;
#endif
  for (int i = 0; i < 2; i++) {
    int end = ends[i];
    fcntl(end, F_SETFD, FD_CLOEXEC);
    if (end > 2) continue;
    ends[i] = fcntl(end, F_DUPFD_CLOEXEC, 3);
    close(end);
  }
  if (ends[0] >= 0 && ends[1] >= 0) return 1;
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0) close(ends[i]);
  return 0;
}

/* What tells a socket from another of the same number; 0 where it is none. A host may close every descriptor, as a
** daemon does that begins, and then open files of its own: these are not to be read, written or closed. */
static uint64_t inode_of(int socket) {
  struct stat facts;
  return socket >= 0 && !fstat(socket, &facts) && S_ISSOCK(facts.st_mode) ? (uint64_t)facts.st_ino : 0;
}

static void close_if(int socket, uint64_t inode) {
  if (socket >= 0 && inode_of(socket) == inode) close(socket);
}

/* Whether the other end is closed. */
static int is_closed(int socket) {
  struct pollfd one = {socket, POLLIN, 0};
  char byte;
  if (poll(&one, 1, 0) <= 0) return 0;
  return (one.revents & (POLLERR | POLLHUP | POLLNVAL)) || recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* ------------------------------------------------------------------------------------------ start and end */

void unlock_worker(void) {
  static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
  worker.lock = unlocked;
}

/* The program to start: what ASKWHERE_WORKER names, or the file beside this library, or what was installed with it. */
static char *program(void) {
  const char *chosen = getenv("ASKWHERE_WORKER"), *path = library();
  char line[4096], *found = 0;
  FILE *file;
  if (chosen && *chosen) return sqlite3_mprintf("%s", chosen);
  const char *slash = path ? strrchr(path, '/') : 0;
  if (!slash) return 0;
  int folder = (int)(slash - path);
  char *beside = sqlite3_mprintf("%.*s/askwhere.worker", folder, path);
  if (beside && (file = fopen(beside, "re"))) {
    if (fgets(line, sizeof line, file)) {
      line[strcspn(line, "\r\n")] = 0;
      if (*line && !access(line, X_OK)) found = sqlite3_mprintf("%s", line);
    }
    fclose(file);
  }
  sqlite3_free(beside);
  /* lib/python3.x/site-packages/askwhere/native/askwhere.so was installed with bin/askwhere. */
  return found ? found : sqlite3_mprintf("%.*s/../../../../../bin/askwhere", folder, path);
}

/* The environment without what tells the host's own Python where its modules are. */
static char **environment(void) {
  size_t count = 0, kept = 0;
  while (environ[count]) count++;
  char **copy = sqlite3_malloc64((count + 1) * sizeof *copy);
  if (!copy) return 0;
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], "PYTHONHOME=", 11) && strncmp(environ[i], "PYTHONPATH=", 11)) copy[kept++] = environ[i];
  copy[kept] = 0;
  return copy;
}

/* In the child of a child: become the worker, or say why not. Only what is safe between fork and exec is called. */
static void become(char *path, char **variables, int control, int errors) {
  char *arguments[] = {path, "worker", 0};
  const char *said = "it cannot be run: ";
  sigset_t none;
  struct sigaction action;
  int nothing = open("/dev/null", O_RDWR);
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < 32; number++) sigaction(number, &action, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  dup2(control, 0);
  dup2(nothing, 1);
  dup2(errors, 2);
#ifdef SYS_close_range
  syscall(SYS_close_range, 3, ~0U, 0);
#endif
  execve(path, arguments, variables);
  const char *why = errno == ENOENT ? "there is no such file" : errno == EACCES ? "no permission" : "not a program";
  if (write(2, said, strlen(said)) < 0 || write(2, why, strlen(why)) < 0) _exit(126);
  _exit(127);
}

/* Starts it as nobody's child, so that no host has to wait for its end. 0 where the system starts no process, as `errno`
** says. */
static int start_process(char *path, int control, int errors) {
  char **variables = environment();
  pid_t child = variables ? fork() : -1;
  if (child == 0) {
    setsid(); /* Ctrl-C in the host's terminal is the host's */
    pid_t other = fork();
    if (other == 0) become(path, variables, control, errors);
    _exit(other < 0 ? errno : 0);
  }
  sqlite3_free(variables);
  if (child < 0) return 0;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return errno != EAGAIN && errno != ENOMEM; /* what fork() may say: a tool that watches the host may end it otherwise */
}

/* Whether the control socket is still there, and this process's own. */
static int is_ours(void) {
  return worker.control >= 0 && worker.host == getpid() && inode_of(worker.control) == worker.inode;
}

static void end_worker(void) {
  if (worker.control < 0) return;
  /* It ends by itself as the socket closes; one that hangs does not. It is there as long as its end is open. */
  if (is_ours() && !is_closed(worker.control) && worker.pid > 1) kill(worker.pid, SIGKILL);
  close_if(worker.control, worker.inode);
  worker.control = -1;
  worker.pid = 0;
}

/* Waits for the last sockets of a process that is ending: until they are closed, it looks alive to the next question. */
static void await_end(void) {
  struct pollfd one = {worker.control, POLLIN, 0};
  if (is_ours()) poll(&one, 1, ENDING_MS);
}

/* Takes what the worker has written as its errors, of which `said` keeps the end. 0 where it writes no more. */
static int hear(int errors, char *said) {
  size_t size = strlen(said);
  ssize_t got = 1;
  for (int times = 0; times < 100 && got > 0; times++) { /* it may go on for ever */
    got = read(errors, said + size, MOST_SAID - size);
    for (ssize_t i = 0; i < got; i++)
      if (!said[size + (size_t)i]) said[size + (size_t)i] = ' ';
    if (got > 0) size += (size_t)got;
    if (size == MOST_SAID) { /* keep the end */
      memmove(said, said + MOST_SAID / 2, MOST_SAID - MOST_SAID / 2);
      size = MOST_SAID - MOST_SAID / 2;
    }
    said[size] = 0;
  }
  return got != 0;
}

static void keep_last_line(char *said) {
  size_t size = strlen(said);
  while (size && strchr("\r\n ", said[size - 1])) size--;
  said[size] = 0;
  char *line = strrchr(said, '\n');
  if (line) memmove(said, line + 1, strlen(line));
}

static sqlite3_int64 milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (sqlite3_int64)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits for the first word of a worker that starts. It may write any number of errors meanwhile: a pipe that nobody reads
** would stop it. */
static int await(Host *host, int socket, int errors, char *said) {
  sqlite3_int64 until = milliseconds() + START_MS;
  while (milliseconds() < until) {
    struct pollfd both[] = {{socket, POLLIN, 0}, {errors, POLLIN, 0}};
    int ready = poll(both, 2, LOOK_MS);
    if (ready < 0 && errno != EINTR) return LOST;
    if (ready > 0 && both[1].revents && !hear(errors, said)) errors = -1;
    if (ready > 0 && both[0].revents) return SQLITE_OK;
    if (was_interrupted(host)) return STOPPED;
  }
  return SILENT;
}

static int start(Host *host, char **error) {
  int sockets[2], errors[2] = {-1, -1}, rc = LOST;
  char *path = program(), said[MOST_SAID + 1] = "";
  Message hello = {0, 0, 0, 0};
  if (!path || !make_ends(sockets, 0)) {
    sqlite3_free(path);
    *error = sqlite3_mprintf("askwhere: the worker could not be started: %s", strerror(errno));
    return SQLITE_ERROR;
  }
  if (make_ends(errors, 1)) {
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    if (!start_process(path, sockets[1], errors[1]))
      snprintf(said, sizeof said, "%s", errno == EAGAIN ? NO_PROCESS : strerror(errno));
    close(errors[1]);
  }
  close(sockets[1]);
  if (!*said && (rc = await(host, sockets[0], errors[0], said)) == SQLITE_OK)
    rc = receive(host, sockets[0], &hello, START_MS);
  Reader told = reader(&hello);
  const char *word = next_text(&told), *version = next_text(&told);
  if (rc == SQLITE_OK && word && version && !strcmp(word, "hello") && !strcmp(version, ASKWHERE_VERSION)) {
    worker.control = sockets[0];
    worker.inode = inode_of(sockets[0]);
    worker.pid = (pid_t)next_integer(&told);
    worker.host = getpid();
    worker.number++;
  } else {
    if (errors[0] >= 0) hear(errors[0], said);
    keep_last_line(said);
    close(sockets[0]);
    if (rc == SQLITE_OK)
      *error = sqlite3_mprintf("askwhere: this extension is of version %s, the worker %s of %s; run `askwhere"
                               " extension-path` where that one is installed", ASKWHERE_VERSION, path,
                               version ? version : "another");
    else if (rc != STOPPED)
      *error = sqlite3_mprintf("askwhere: the worker %s could not be started: %s%s", path,
                               rc == SILENT ? "it says nothing" : *said ? said : "it ended at once",
                               strstr(said, "ulimit") ? "" : ". Run `askwhere extension-path` where askwhere is"
                               " installed, or let ASKWHERE_WORKER name its command");
    rc = rc == STOPPED ? STOPPED : SQLITE_ERROR;
  }
  if (errors[0] >= 0) close(errors[0]);
  free_message(&hello);
  sqlite3_free(path);
  return rc;
}

/* Tells the worker of a connection: 'o' that it begins, with its socket, or 'c' that it has ended. A worker that does not
** listen is ended: whoever waited for it here would keep all others waiting. `host` is NULL for one that is gone. */
static int tell(Host *host, char what, sqlite3_int64 id, int socket) {
  unsigned char bytes[1 + sizeof id];
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {bytes, sizeof bytes};
  struct msghdr message;
  bytes[0] = (unsigned char)what;
  memcpy(bytes + 1, &id, sizeof id);
  memset(&message, 0, sizeof message);
  memset(&control, 0, sizeof control);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (socket >= 0) {
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof socket);
    memcpy(CMSG_DATA(&control.header), &socket, sizeof socket);
  }
  int spent = 0, rc = SQLITE_OK;
  ssize_t sent;
  while ((sent = sendmsg(worker.control, &message, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && rc == SQLITE_OK) {
    if (errno == EAGAIN || errno == EWOULDBLOCK)
      rc = wait_for(host, worker.control, POLLOUT, &spent, SILENT_MS);
    else if (errno != EINTR)
      break;
  }
  if (rc == SILENT) end_worker();
  return sent == (ssize_t)sizeof bytes;
}

static int open_channel(Host *host, char **error) {
  int sockets[2], rc = SQLITE_OK;
  pthread_mutex_lock(&worker.lock);
  if (worker.control >= 0 && (!is_ours() || is_closed(worker.control))) end_worker();
  if (worker.control < 0) rc = start(host, error);
  if (rc == SQLITE_OK && make_ends(sockets, 0)) {
    if (tell(host, 'o', host->id, sockets[1])) {
      host->channel = sockets[0];
      host->inode = inode_of(sockets[0]);
      host->worker = worker.number;
    } else {
      close(sockets[0]);
    }
    close(sockets[1]);
  }
  pthread_mutex_unlock(&worker.lock);
  if (rc == SQLITE_OK && host->channel < 0) {
    *error = sqlite3_mprintf("askwhere: the worker could not be reached; ask again");
    rc = SQLITE_ERROR;
  }
  return rc;
}

static void close_channel(Host *host) {
  close_if(host->channel, host->inode);
  host->channel = -1;
}

void forget(Host *host) {
  if (!host->worker) return; /* it never asked: it may be ours, opened while the worker is being started */
  pthread_mutex_lock(&worker.lock);
  if (is_ours() && host->worker == worker.number) tell(0, 'c', host->id, -1);
  pthread_mutex_unlock(&worker.lock);
  close_channel(host);
}

/* ------------------------------------------------------------------------------------------------- calling */

/* What to say of a conversation that has ended too early; the next one begins anew. */
static int broken(Host *host, int how, char **error) {
  int mine = host->worker == worker.number;
  int ending = host->channel >= 0 && is_closed(host->channel);
  close_channel(host);
  if (how == STOPPED && host->late) {
    *error = sqlite3_mprintf("the query was stopped for its time; ask something narrower or raise the setting"
                             " query_timeout");
    return SQLITE_ERROR;
  }
  if (how == STOPPED) {
    *error = sqlite3_mprintf("interrupted");
    return SQLITE_INTERRUPT;
  }
  if (how == SILENT || how == STUCK) {
    pthread_mutex_lock(&worker.lock);
    if (mine && host->worker == worker.number) end_worker();
    pthread_mutex_unlock(&worker.lock);
    *error = how == STUCK
                 ? sqlite3_mprintf("askwhere: the worker took longer than a question may and was ended; ask again, or"
                                   " raise the setting max_seconds")
                 : sqlite3_mprintf("askwhere: the worker said nothing for %d seconds and was ended; ask again",
                                   SILENT_MS / 1000);
  } else {
    pthread_mutex_lock(&worker.lock);
    if (mine && ending && host->worker == worker.number) await_end();
    pthread_mutex_unlock(&worker.lock);
    *error = sqlite3_mprintf("askwhere: the worker ended before it had answered; ask again");
  }
  return SQLITE_ERROR;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The seconds that a worker may yet say only that it is alive: its first word of that decides. */
static double patience(Reader *parts) {
  sqlite3_int64 told = next_integer(parts);
  return told <= 0 ? ALIVE_S : told < MOST_ALIVE_S ? (double)told : MOST_ALIVE_S;
}

/* Receives until the reply is there, serving what the worker asks in between. */
int converse(Host *host, Message *request, Message *reply) {
  int rc = send_message(host, request);
  double until = 0; /* 0 while it has said something else since it said that it is alive */
  while (rc == SQLITE_OK) {
    rc = host->channel < 0 ? LOST : receive(host, host->channel, reply, SILENT_MS);
    if (rc != SQLITE_OK) return rc;
    Reader parts = reader(reply);
    const char *what = next_text(&parts);
    if (!what) {
      rc = LOST;
    } else if (!strcmp(what, "reply") || !strcmp(what, "error")) {
      return SQLITE_OK;
    } else if (!strcmp(what, "alive")) {
      if (!until) until = now() + patience(&parts);
      if (now() > until) rc = STUCK;
    } else {
      rc = serve(host, what, &parts);
      rc = rc == SQLITE_INTERRUPT ? STOPPED : rc == SQLITE_OK ? SQLITE_OK : LOST;
      until = 0;
    }
    free_message(reply);
  }
  return rc;
}

/* The text of an error that the worker replies; NULL where it is none. */
static char *said_wrong(const Message *reply) {
  Reader parts = reader(reply);
  if (strcmp(next_text(&parts), "error")) return 0;
  const char *text = next_text(&parts);
  return sqlite3_mprintf("%s", text ? text : "askwhere: an error without a text");
}

static void ended(Host *host) {
  if (--host->depth) return;
  drop_statements(host);
  undo(host);
}

static int introduce(Host *host, char **error) {
  Message request, reply = {0, 0, 0, 0};
  start_message(&request, "begin");
  add_text(&request, host->settings);
  host->depth++;
  int rc = converse(host, &request, &reply);
  if (rc != SQLITE_OK) {
    rc = broken(host, rc, error);
  } else if ((*error = said_wrong(&reply))) {
    close_channel(host); /* the next call begins anew */
    rc = SQLITE_ERROR;
  }
  ended(host);
  free_message(&reply);
  return rc;
}

int call_worker(Host *host, Message *request, Message *reply, char **error) {
  int rc = SQLITE_OK;
  memset(reply, 0, sizeof *reply);
  *error = 0;
  if (request->failed || request->size > MOST_ASKED) {
    *error = sqlite3_mprintf("askwhere: the arguments are too long; all together may have %d MB", MOST_ASKED >> 20);
    free_message(request);
    return SQLITE_ERROR;
  }
  if (host->depth >= DEEPEST) {
    *error = sqlite3_mprintf("askwhere: a question that asks another");
    free_message(request);
    return SQLITE_ERROR;
  }
  if (host->depth == 0) {
    host->late = 0;
    host->alone = sqlite3_get_autocommit(host->db);
    if (host->channel >= 0 && (host->worker != worker.number || worker.host != getpid() ||
                               inode_of(host->channel) != host->inode || is_closed(host->channel)))
      close_channel(host);
    if (host->channel < 0 && (rc = open_channel(host, error)) == SQLITE_OK) rc = introduce(host, error);
  }
  if (rc != SQLITE_OK) {
    free_message(request);
    return rc == STOPPED ? SQLITE_INTERRUPT : rc;
  }
  host->depth++;
  rc = converse(host, request, reply);
  if (rc != SQLITE_OK) rc = broken(host, rc, error);
  ended(host);
  if (rc == SQLITE_OK && (*error = said_wrong(reply))) {
    free_message(reply);
    rc = SQLITE_ERROR;
  }
  return rc;
}
