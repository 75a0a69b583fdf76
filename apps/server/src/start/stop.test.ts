import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectLive } from '../testing/live-client.ts'
import { type MainProcess, startMain } from '../testing/main-process.ts'
import { handshake, rawClient } from '../testing/raw-client.ts'
import { adminToken } from '../testing/server.ts'
import { stopInReverse } from './stop.ts'

/** 20 normally; the long tier uses the thousand of R14. */
const CLIENTS = Math.round(20 * 50 ** Math.log10(Number(process.env['PULSE_TEST_SCALE'] ?? 1)))

let dir: string
let main: MainProcess
const port = () => new URL(main.url).port
const token = `X-API-Token: ${adminToken}`

/** Opens connections in every state that can delay the stop. */
const holdUp = () =>
  Promise.all([
    rawClient(port()),
    rawClient(port(), 'GET /api/sta'),
    rawClient(port(), `GET /api/health HTTP/1.1\r\nHost: pulse\r\n\r\n`),
    rawClient(port(), `GET /api/stats HTTP/1.1\r\nHost: pulse\r\n${token}\r\n`),
    rawClient(
      port(),
      `POST /api/config/nodes HTTP/1.1\r\nHost: pulse\r\n${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ),
    rawClient(
      port(),
      `POST /api/config/nodes HTTP/1.1\r\nHost: pulse\r\n${token}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n{`,
    ),
    ...Array.from({ length: 10 }, () => rawClient(port(), handshake())),
    ...Array.from({ length: 10 }, () => rawClient(port(), handshake('/elsewhere'))),
    ...Array.from({ length: 5 }, () => rawClient(port(), handshake('/ws', { 'X-API-Token': adminToken }))),
  ])

describe('[R14] SIGTERM', () => {
  beforeEach(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-stop-'))
    main = await startMain(dir)
  })
  afterEach(async () => {
    main.child.kill('SIGKILL')
    await main.ended
    fs.rmSync(dir, { recursive: true })
  })

  // its own time limit would end it with code 1
  test('ends the process with code 0, whatever is open; every client gets close code 1001', async () => {
    const held = await holdUp()
    for (const { socket } of held) socket.pause()
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) => connectLive(main.url, { delta: n % 2 === 0 })),
    )
    const deaf = await connectLive(main.url)
    deaf.socket.pause()
    main.child.kill('SIGTERM')
    expect(await main.ended).toEqual({ code: 0, signal: null })
    const codes = await Promise.all(clients.map(async ({ closed }) => (await closed).code))
    expect(new Set(codes)).toEqual(new Set([1001]))
    for (const { socket } of held) socket.destroy()
    deaf.socket.terminate()
  })

  test('a second one ends it at once', async () => {
    const held = await holdUp()
    const client = await connectLive(main.url, { delta: true })
    main.child.kill('SIGTERM')
    await client.closed
    main.child.kill('SIGTERM')
    expect(await main.ended).toEqual({ code: 1, signal: null })
    for (const { socket } of held) socket.destroy()
  })
})

describe('[R14] the end of the areas', () => {
  const given = () => {
    const clock = fakeClock()
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
    const stopped: string[] = []
    return {
      clock,
      lines,
      log,
      stopped,
      stops: (name: string) => ({ name, stop: () => void stopped.push(name) }),
    }
  }

  test('the last to start is the first to end', async () => {
    const { stopped, stops, ...edges } = given()
    await stopInReverse([stops('the first'), { name: 'without an end' }, stops('the second')], edges)
    expect(stopped).toEqual(['the second', 'the first'])
    expect(edges.clock.pending()).toBe(0)
  })

  test('one that fails or hangs keeps no other from ending, and is named', async () => {
    const { clock, lines, log, stopped, stops } = given()
    const failing = {
      name: 'the second',
      stop() {
        throw new Error('broken')
      },
    }
    const hanging = { name: 'the third', stop: () => new Promise<void>(() => {}) }
    const all = stopInReverse([stops('the first'), failing, hanging], { clock, log, togetherMs: 1_300 })
    await clock.advance(1_000)
    await all
    expect(stopped).toEqual(['the first'])
    expect(lines.join()).toMatch(/the third did not stop within 1000 ms/)
    expect(lines.join()).toMatch(/the second did not stop cleanly/)
    expect(clock.pending()).toBe(0)
  })

  test('however many hang, the last still has some time and all end before the process is killed', async () => {
    const { clock, lines, log } = given()
    const hanging = (name: string) => ({ name, stop: () => new Promise<void>(() => {}) })
    const areas = Array.from({ length: 10 }, (_, n) => hanging(`area ${n}`))
    const all = stopInReverse(areas, { clock, log })
    await clock.advance(4_500)
    await all
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toMatch(/area 0 did not stop within 150 ms/)
  })
})
