import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/nats-server'

export const hasNats = (): boolean => fs.existsSync(program)

export interface NatsServer {
  port: number
  halt(): Promise<void>
  rise(): Promise<void>
  /** It hangs without a word, and goes on. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

/** A NATS server of its own with JetStream, on loopback. */
export async function startNats(): Promise<NatsServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  async function rise() {
    const started = spawn(program, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('Server is ready')) resolve()
      })
      started.once('exit', () => reject(new Error(`nats-server has ended: ${said}`)))
    })
  }

  async function halt() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  await rise()
  return {
    port,
    rise,
    halt,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    async remove() {
      await halt()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
