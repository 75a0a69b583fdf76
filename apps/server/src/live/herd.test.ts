import { DELTA_PROTOCOL } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type MainProcess, startMain } from '../testing/main-process.ts'
import { asAdmin } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
/** 30 clients of 20 guests normally; the 1,000 of R16 with 500 guests in the long tier. */
const CLIENTS = Math.round(30 * (1_000 / 30) ** Math.log10(scale))
const GUESTS = Math.round(20 * 25 ** Math.log10(scale))
const BACK_WITHIN_MS = 30_000

let lab: Lab
const displays: Display[] = []
let dir: string
let main: MainProcess
beforeAll(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-herd-'))
  lab = await startLab({ nodes: 4, guests: GUESTS, authDelayMs: 0 })
  main = await startMain(dir)
})
afterAll(async () => {
  for (const display of displays) display.stop()
  main.child.kill('SIGKILL')
  await main.ended
  await lab.close()
  fs.rmSync(dir, { recursive: true })
})

interface Display {
  socket: WebSocket | undefined
  isOpen: boolean
  /** since the restart */
  snapshots: number
  /** attempts since the server is back */
  tries: number
  /** answers other than an open socket or a refused connection */
  refused: string[]
  stop(): void
}

/** Reconnects as the browser does: after a second, two, four, each shortened by random jitter. */
function openDisplay(url: string): Display {
  let attempt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const display: Display = {
    socket: undefined,
    isOpen: false,
    snapshots: 0,
    tries: 0,
    refused: [],
    stop() {
      stopped = true
      clearTimeout(timer)
      display.socket?.terminate()
    },
  }
  function open() {
    display.tries++
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, [DELTA_PROTOCOL], { headers: asAdmin })
    display.socket = socket
    socket.on('open', () => {
      attempt = 0
      display.isOpen = true
    })
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary && isSnapshot(data)) display.snapshots++
    })
    socket.on('error', (error) => {
      if (/Unexpected server response/.test(error.message)) display.refused.push(error.message)
    })
    socket.on('close', () => {
      display.isOpen = false
      attempt++
      const waitMs = Math.min(1_000 * 2 ** (attempt - 1), BACK_WITHIN_MS) * (1 - 0.2 * Math.random())
      if (!stopped) timer = setTimeout(open, waitMs)
    })
  }
  open()
  return display
}

const isSnapshot = (data: Buffer) => inflateRawSync(data).subarray(0, 20).includes('"snapshot"')

async function addLabNode() {
  const { credentials } = lab
  const [node] = lab.clusters[0]!.nodes
  const response = await fetch(`${main.url}/api/config/nodes`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'pve',
      name: 'lab',
      host: node!.url,
      fingerprint: node!.fingerprint,
      tokenName: credentials.tokenId,
      tokenValue: credentials.tokenSecret,
      verifySSL: true,
      monitorVMs: true,
      monitorContainers: true,
      monitorStorage: true,
      monitorBackups: true,
    }),
  })
  expect(response.status, await response.text()).toBeLessThan(300)
}

test(`[R16] restarted under ${CLIENTS} clients of one token and one address: all back at their next try, none refused, the state sent once each`, async () => {
  await addLabNode()
  const { url } = main
  const isComplete = () => expect(displays.filter(({ isOpen }) => !isOpen)).toHaveLength(0)
  for (let n = 0; n < CLIENTS; n++) {
    displays.push(openDisplay(url))
    if (n % 50 === 49) await vi.waitFor(isComplete, { timeout: within(60_000), interval: 20 })
  }
  await vi.waitFor(isComplete, { timeout: within(60_000), interval: 100 })
  main.child.kill('SIGTERM')
  expect(await main.ended).toEqual({ code: 0, signal: null })
  await vi.waitFor(() => expect(displays.filter(({ isOpen }) => isOpen)).toHaveLength(0), {
    timeout: within(30_000),
  })
  for (const display of displays) display.snapshots = 0
  main = await startMain(dir, { FRONTEND_PORT: new URL(url).port })
  // A client that has reconnected needed one attempt. An attempt under way may have been too early.
  for (const display of displays) display.tries = 0
  await vi.waitFor(
    () => {
      isComplete()
      expect(displays.filter(({ snapshots }) => snapshots === 0)).toHaveLength(0)
    },
    { timeout: within(4 * BACK_WITHIN_MS), interval: 50 },
  )
  expect(displays.flatMap(({ refused }) => refused)).toEqual([])
  expect(new Set(displays.map(({ snapshots }) => snapshots))).toEqual(new Set([1]))
  expect(Math.max(...displays.map(({ tries }) => tries))).toBeLessThanOrEqual(1)
})
