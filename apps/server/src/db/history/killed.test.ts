import { HistoryStore, precisionOf } from '@pulse/domain'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { scale } from '../../auth/fixtures.ts'
import { randomFrom } from '../../testing/data-folder.ts'
import { openTileFile } from './tile-file.ts'

const minute = 60_000
const T0 = Date.UTC(2026, 0, 5)
const tickMs = 10_000
const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/** Samples as fast as it can, its own clock running; compacts and removes in between. Prints each tick it has taken. */
const sampler = `(async () => {
  const { openHistoryFile } = await import(${at('./history-file.ts')})
  const { usualKeepMs } = await import('@pulse/domain')
  const [file, from] = process.argv.slice(1)
  const { append, things, store } = openHistoryFile(file, [{ kind: 'guests', name: 'cpu' }], 0)
  const ids = Array.from({ length: 40 }, (_, n) => ({ kind: 'guests', id: 'a:' + n, alias: 'p:' + n, mark: '' }))
  const numbers = things.identify(0, [], ids)
  for (let now = Number(from); ; now += ${tickMs}) {
    const { error } = append(now, [{ field: 1, things: numbers, values: numbers.map((n) => (now / ${tickMs} + n) % 10_000) }])
    if (error) throw new Error(error)
    console.log(now)
    if ((now / ${tickMs}) % 90 === 0)
      for (const work of [store.compact(now), store.retain(now, usualKeepMs)])
        for (const _ of work) await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
})()`

/** Kills the process after so many ticks; returns the time of the last one that it has taken. */
function sampleUntilKilled(file: string, from: number, ticks: number): Promise<number> {
  const child = spawn(process.execPath, ['-e', sampler, file, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let taken = 0
  let last = from
  createInterface(child.stdout).on('line', (line) => {
    last = Number(line)
    if (++taken >= ticks) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', () => resolve(last)))
}

const kills = scale > 1 ? 100 : 3

test(`[M] ${kills} kills while sampling: the file is whole, and at most the minute under way is lost`, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-killed-history-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'history.db')
  const random = randomFrom(9)
  let from = T0
  for (let kill = 1; kill <= kills; kill++) {
    const last = await sampleUntilKilled(file, from, 20 + Math.floor(random() * 800))
    const db = new DatabaseSync(file)
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    const store = new HistoryStore({ storage: openTileFile(db), precision: () => precisionOf.ratio })
    const times = Array.from({ length: (last - from) / tickMs + 1 }, (_, n) => from + n * tickMs)
    for (const thing of [0, 39]) {
      const kept = new Map(
        store.samples(1, [thing], from, last + 1)[0]!.map(({ at: time, stored }) => [time, stored]),
      )
      // the process may have taken more ticks than the parent has read
      const durable = times.filter((time) => time < last - minute)
      expect(durable.filter((time) => kept.get(time) !== (time / tickMs + thing) % 10_000)).toEqual([])
    }
    db.close()
    from = last + 5 * minute
  }
})
