/**
 * libuv resolves names on its thread pool, on at most half of the threads. With the usual four threads, two
 * names with an unresponsive name server would block all other lookups. Imported before any module uses a
 * thread.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '24'
