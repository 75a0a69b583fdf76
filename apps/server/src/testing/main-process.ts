import { type ChildProcess, spawn } from 'node:child_process'
import { builtServer, compileCache } from './built-server.ts'
import { adminToken } from './server.ts'

export interface MainProcess {
  child: ChildProcess
  url: string
  ended: Promise<{ code: number | null; signal: string | null }>
}

/** Starts the product in a separate process, and waits until it is ready. */
export function startMain(dataDir: string, env: Record<string, string> = {}): Promise<MainProcess> {
  const child = spawn(process.execPath, [builtServer], {
    env: {
      PATH: process.env['PATH'],
      ...compileCache,
      PULSE_DATA_DIR: dataDir,
      PULSE_LISTEN_ADDRESS: '127.0.0.1',
      FRONTEND_PORT: '0',
      API_TOKENS: adminToken,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  return new Promise((resolve, reject) => {
    child.on('message', (message) => resolve({ child, url: (message as { ready: string }).ready, ended }))
    void ended.then(({ code }) => reject(new Error(`Pulse ended with ${code} before it was ready`)))
  })
}
