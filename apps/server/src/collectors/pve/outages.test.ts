import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { watchOutages } from './outages.ts'

function given() {
  const clock = fakeClock()
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  return { clock, lines, outages: watchOutages(clock, log) }
}

test('one outage of many addresses that come and go writes one line with a count, and one when all is over', async () => {
  const { clock, lines, outages } = given()
  const all = Array.from({ length: 40 }, (_, n) => `address https://127.0.0.${n}:8006`)
  for (let flap = 0; flap < 60; flap++) {
    for (const one of all) outages.lost(one, 'connection refused')
    await clock.advance(20_000)
    for (const one of all) outages.found(one)
    await clock.advance(10_000)
  }
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 40, count: 40, reason: 'connection refused' }),
  ])
  await clock.advance(60_000)
  expect(JSON.parse(lines[1]!)).toMatchObject({ level: 30, count: 40, times: 2_400, seconds: 1_790 })
  expect(lines).toHaveLength(2)
})

test('what is back within a moment is no line', async () => {
  const { clock, lines, outages } = given()
  outages.lost('node pve2', 'no answer')
  await clock.advance(2_000)
  outages.found('node pve2')
  await clock.advance(600_000)
  expect(lines).toEqual([])
})

test('what is lost later in the same outage is logged too, but not line by line', async () => {
  const { clock, lines, outages } = given()
  outages.lost('node pve1', 'no answer')
  await clock.advance(10_000)
  outages.lost('node pve2', 'no answer')
  await clock.advance(60_000)
  outages.lost('node pve3', 'no answer')
  expect(lines).toHaveLength(1)
  await clock.advance(600_000)
  expect(JSON.parse(lines[1]!)).toMatchObject({ count: 2, lost: ['node pve2', 'node pve3'] })
})

test('what is back while something else is not takes its own warning back, once it stays', async () => {
  const { clock, lines, outages } = given()
  outages.lost('address a', 'refused')
  outages.lost('address b', 'refused')
  await clock.advance(10_000)
  outages.found('address a')
  await clock.advance(30_000)
  outages.lost('address a', 'refused')
  await clock.advance(60_000)
  expect(lines).toHaveLength(1)
  outages.found('address a')
  await clock.advance(60_000)
  expect(lines.slice(1).map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 30, msg: 'address a can be reached again', found: ['address a'] }),
  ])
  outages.found('address b')
  await clock.advance(60_000)
  expect(JSON.parse(lines[2]!)).toMatchObject({ msg: 'all addresses and nodes are reachable again' })
  expect(lines).toHaveLength(3)
})
