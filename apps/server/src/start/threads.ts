/**
 * Names are resolved on threads of the platform, on half of them at most; with the usual four, two names whose name
 * server is silent keep every other waiting for as long as it is. Imported before anything uses one.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '24'
