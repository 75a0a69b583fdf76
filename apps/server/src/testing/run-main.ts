import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Runs the product in a process of its own until it ends, or is ready and told to stop. */
export function runMain(
  dataDir: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: {
      PATH: process.env['PATH'],
      PULSE_DATA_DIR: dataDir,
      PULSE_LISTEN_ADDRESS: '127.0.0.1',
      FRONTEND_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)))
  child.on('message', () => child.kill('SIGTERM'))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}
