/* Messages: values in a buffer, written and read. */
#include "native.h"
#include <string.h>

static void add(Message *message, const void *bytes, size_t size) {
  if (message->failed) return;
  if (message->size + size > message->room) {
    size_t room = (message->size + size) * 2 + 256;
    unsigned char *larger = room < UINT32_MAX ? sqlite3_realloc64(message->bytes, room) : 0;
    if (!larger) {
      message->failed = 1;
      return;
    }
    message->bytes = larger;
    message->room = room;
  }
  memcpy(message->bytes + message->size, bytes, size);
  message->size += size;
}

void start_message(Message *message, const char *what) {
  uint32_t length = 0; /* filled in when it is sent */
  memset(message, 0, sizeof *message);
  add(message, &length, sizeof length);
  add_text(message, what);
}

void add_null(Message *message) { add(message, "n", 1); }

void add_integer(Message *message, sqlite3_int64 value) {
  add(message, "i", 1);
  add(message, &value, sizeof value);
}

static void add_real(Message *message, double value) {
  add(message, "f", 1);
  add(message, &value, sizeof value);
}

void add_bytes(Message *message, char kind, const void *bytes, size_t size) {
  uint32_t length = (uint32_t)size;
  add(message, &kind, 1);
  add(message, &length, sizeof length);
  if (size) add(message, bytes, size);
  add(message, "", 1);
}

void add_text(Message *message, const char *text) {
  if (text)
    add_bytes(message, 't', text, strlen(text));
  else
    add_null(message);
}

void add_value(Message *message, sqlite3_value *value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: add_integer(message, sqlite3_value_int64(value)); break;
    case SQLITE_FLOAT: add_real(message, sqlite3_value_double(value)); break;
    case SQLITE_TEXT: {
      const void *text = sqlite3_value_text(value);
      add_bytes(message, 't', text, text ? (size_t)sqlite3_value_bytes(value) : 0);
      break;
    }
    case SQLITE_BLOB: {
      const void *blob = sqlite3_value_blob(value);
      add_bytes(message, 'b', blob, (size_t)sqlite3_value_bytes(value));
      break;
    }
    default: add_null(message);
  }
}

void add_column(Message *message, sqlite3_stmt *statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: add_integer(message, sqlite3_column_int64(statement, column)); break;
    case SQLITE_FLOAT: add_real(message, sqlite3_column_double(statement, column)); break;
    case SQLITE_TEXT: {
      const void *text = sqlite3_column_text(statement, column);
      add_bytes(message, 't', text, text ? (size_t)sqlite3_column_bytes(statement, column) : 0);
      break;
    }
    case SQLITE_BLOB: {
      const void *blob = sqlite3_column_blob(statement, column);
      add_bytes(message, 'b', blob, (size_t)sqlite3_column_bytes(statement, column));
      break;
    }
    default: add_null(message);
  }
}

void free_message(Message *message) {
  sqlite3_free(message->bytes);
  memset(message, 0, sizeof *message);
}

Reader reader(const Message *message) {
  Reader found = {message->bytes, message->bytes + message->size};
  return found;
}

static int take(Reader *reader, void *into, size_t size) {
  if ((size_t)(reader->end - reader->at) < size) {
    reader->at = reader->end;
    return 0;
  }
  memcpy(into, reader->at, size);
  reader->at += size;
  return 1;
}

Value next_value(Reader *reader) {
  Value value = {0, 0, 0.0, 0, 0};
  uint32_t length;
  if (!take(reader, &value.kind, 1)) return value;
  if (value.kind == 'i' && !take(reader, &value.integer, sizeof value.integer)) value.kind = 0;
  if (value.kind == 'f' && !take(reader, &value.real, sizeof value.real)) value.kind = 0;
  if (value.kind == 't' || value.kind == 'b') {
    if (!take(reader, &length, sizeof length) || (size_t)(reader->end - reader->at) < (size_t)length + 1 ||
        reader->at[length]) {
      reader->at = reader->end;
      value.kind = 0;
      return value;
    }
    value.bytes = (const char *)reader->at;
    value.size = length;
    reader->at += (size_t)length + 1;
  }
  return value;
}

sqlite3_int64 next_integer(Reader *reader) {
  Value value = next_value(reader);
  return value.kind == 'i' ? value.integer : 0;
}

double next_real(Reader *reader) {
  Value value = next_value(reader);
  return value.kind == 'f' ? value.real : value.kind == 'i' ? (double)value.integer : 0.0;
}

const char *next_text(Reader *reader) {
  Value value = next_value(reader);
  return value.kind == 't' ? value.bytes : 0;
}

void give_result(sqlite3_context *context, const Value *value) {
  switch (value->kind) {
    case 'i': sqlite3_result_int64(context, value->integer); break;
    case 'f': sqlite3_result_double(context, value->real); break;
    case 't': sqlite3_result_text64(context, value->bytes, value->size, SQLITE_TRANSIENT, SQLITE_UTF8); break;
    case 'b': sqlite3_result_blob64(context, value->bytes, value->size, SQLITE_TRANSIENT); break;
    default: sqlite3_result_null(context);
  }
}

int bind_parameter(sqlite3_stmt *statement, int place, const Value *value) {
  switch (value->kind) {
    case 'i': return sqlite3_bind_int64(statement, place, value->integer);
    case 'f': return sqlite3_bind_double(statement, place, value->real);
    case 't': return sqlite3_bind_text64(statement, place, value->bytes, value->size, SQLITE_TRANSIENT, SQLITE_UTF8);
    case 'b': return sqlite3_bind_blob64(statement, place, value->bytes, value->size, SQLITE_TRANSIENT);
    default: return sqlite3_bind_null(statement, place);
  }
}
