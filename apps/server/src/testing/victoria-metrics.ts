import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { freePort } from './free-port.ts'

const program = '/usr/bin/victoria-metrics'

export const hasVictoriaMetrics = (): boolean => fs.existsSync(program)

export interface VictoriaMetrics {
  url: string
  /** `crash`: as with kill -9 */
  halt(how?: 'crash'): Promise<void>
  rise(): Promise<void>
  /** It hangs without a word, and goes on. */
  freeze(): void
  thaw(): void
  /** What was written is found by queries. */
  settle(): Promise<void>
  remove(): Promise<void>
}

/** A VictoriaMetrics of its own, on loopback. */
export async function startVictoriaMetrics(): Promise<VictoriaMetrics> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-victoria-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let server: ChildProcess | undefined

  async function rise() {
    const started = spawn(
      program,
      [
        `-httpListenAddr=127.0.0.1:${port}`,
        `-storageDataPath=${folder}`,
        '-retentionPeriod=100y',
        '-memory.allowedBytes=128MB',
        // fixtures write the past in seconds
        '-search.latencyOffset=1ms',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    server = started
    let said = ''
    started.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-10_000)))
    const isUp = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitFor(async () => expect(said.includes('starting http server') && (await isUp())).toBe(true), {
      timeout: within(30_000),
      interval: 20,
    })
  }

  /** SIGTERM makes what it has taken durable first, which takes a second. */
  async function halt(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  await rise()
  return {
    url,
    rise,
    halt: (how) => halt(how && 'SIGKILL'),
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    async settle() {
      await fetch(`${url}/internal/force_flush`)
    },
    async remove() {
      await halt('SIGKILL')
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
