import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Repeated, repeat } from './repeat.ts'

/** A job that counts its runs and does what the case says. */
function given(run: (count: number) => unknown, rest: Partial<Repeated> = {}) {
  const clock = fakeClock()
  const runs: number[] = []
  const errors: unknown[] = []
  const repeating = repeat({
    clock,
    everyMs: 1_000,
    run: () => {
      runs.push(clock.monotonic())
      return run(runs.length)
    },
    onError: (error) => errors.push(error),
    ...rest,
  })
  return { clock, runs, errors, repeating }
}
const fails = (error: unknown) => {
  throw error
}

describe('a job that is repeated', () => {
  test('goes on after a run that throws, and the error is reported once', async () => {
    const { clock, runs, errors } = given((count) => count === 1 && fails('broken'))
    await clock.advance(3_000)
    expect(runs).toHaveLength(3)
    expect(errors).toEqual(['broken'])
  })

  test('goes on after a run that rejects', async () => {
    const { clock, runs, errors } = given((count) => (count === 1 ? Promise.reject(new Error('broken')) : 1))
    await clock.advance(3_000)
    expect(runs).toHaveLength(3)
    expect(errors).toEqual([new Error('broken')])
  })

  test('goes on when nobody can say how long its pause is', async () => {
    let asked = 0
    const { clock, runs, errors } = given(() => {}, {
      everyMs: () => (++asked === 2 ? (fails('lost') as never) : 1_000),
    })
    await clock.advance(70_000)
    expect(errors).toEqual(['lost'])
    expect(runs.length).toBeGreaterThan(2)
  })

  test('is not overtaken by its next run, which follows it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { clock, runs } = given(() => promise)
    await clock.advance(5_000)
    expect(runs).toHaveLength(1)
    resolve()
    await expect.poll(() => runs).toHaveLength(2)
    await clock.advance(1_000)
    expect(runs).toHaveLength(3)
  })

  test('ends when it is stopped, also by its own run', async () => {
    const { clock, runs, repeating } = given((count) => count === 2 && repeating.stop())
    await clock.advance(10_000)
    expect(runs).toHaveLength(2)
  })

  test('runs at once when asked, and then after its pause', async () => {
    const { clock, runs, repeating } = given(() => {})
    await clock.advance(900)
    repeating.now()
    await clock.advance(900)
    expect(runs).toHaveLength(1)
    await clock.advance(100)
    expect(runs).toHaveLength(2)
  })
})

/** Timers that arm themselves again in another way, and why an exception does not end them. */
const others: Readonly<Record<string, string>> = {
  'live/delta-feed.ts': 'what it does is caught, and the feed starts afresh',
  'state/plain-view.ts': 'it only begins a build, which is caught',
  'auth/api-token-table.ts': 'it is armed before anybody is told',
  'db/open.ts': 'the probe is caught',
  'discovery/discovery.ts': 'a scan that fails is caught, and the next is planned as it begins',
  'timing/repeat.ts': 'this is it',
  'alerts/keeper.ts': 'it waits for the disk, whose refusal is caught',
  'metrics/scrape.ts': 'it forgets one answer',
  'self/troubles.ts': 'it ends one trouble',
  'temperature/ssh.ts': 'it ends one connection',
  'collectors/proxmox/watch-host.ts': 'publishing arms it again, and so does each answer',
}

test('no timer of the server arms itself again on its own: an exception would end it', () => {
  const root = path.join(import.meta.dirname, '..')
  const sources = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|given|testing\//.test(name))
  const found = sources.filter((name) => rearms(fs.readFileSync(path.join(root, name), 'utf8')))
  expect(found.filter((name) => others[name] === undefined)).toEqual([])
  // one that is not there any more needs no reason
  expect(Object.keys(others).filter((name) => !found.includes(name))).toEqual([])
})

/** Whether a function hands itself, or what calls it, to a timer. */
function rearms(text: string): boolean {
  if (/\bsetInterval\(/.test(text)) return true
  const functions = [...text.matchAll(/^( *)(?:async )?function (\w+)|^( *)const (\w+) = (?:async )?\(/gm)]
  return functions.some((match) => {
    const [indent, name] = [match[1] ?? match[3]!, match[2] ?? match[4]!]
    const rest = text.slice(match.index)
    const end = rest.search(new RegExp(`\\n${indent}[})]`))
    const body = end < 0 ? rest : rest.slice(0, end)
    return [...body.matchAll(/\bclock\.after\(/g)].some(({ index }) =>
      new RegExp(`\\b${name}\\b`).test(argumentsAt(body, index + 'clock.after'.length)),
    )
  })
}

function argumentsAt(text: string, open: number): string {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(open, at)
  }
  return text.slice(open)
}
