import { spawn } from 'node:child_process'
import { builtServer, compileCache } from './built-server.ts'
import { databaseOfTests, urlOf } from './database-of-tests.ts'

interface RunOptions {
  args?: string[]
  env?: Record<string, string>
  /** umask that the process inherits */
  umask?: number
  /** called before the process is asked to stop */
  onReady?: (url: string) => void | Promise<void>
}

/** Runs the product in a separate process until it ends, or until it is ready and has been asked to stop. */
export async function runMain(
  dataDir: string,
  { args = [], env = {}, umask, onReady }: RunOptions = {},
): Promise<{ code: number | null; output: string }> {
  const database = await databaseOfTests(dataDir)
  const command = [process.execPath, builtServer, ...args]
  // a vitest thread cannot set the umask of its process
  const shell = ['/bin/sh', '-c', `umask ${(umask ?? 0o022).toString(8)}; exec "$@"`, 'sh', ...command]
  const [file, ...rest] = umask === undefined ? command : shell
  const child = spawn(file!, rest, {
    env: {
      PATH: process.env['PATH'],
      ...compileCache,
      PULSE_DATA_DIR: dataDir,
      PULSE_LISTEN_ADDRESS: '127.0.0.1',
      FRONTEND_PORT: '0',
      ...(database && { PULSE_DATABASE_URL: urlOf(database) }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)))
  child.on('message', async ({ ready }: { ready: string }) => {
    await onReady?.(ready)
    child.kill('SIGTERM')
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}
