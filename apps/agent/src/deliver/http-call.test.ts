import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aTargetAt } from '../fixtures.ts'
import { call } from './http-call.ts'

/** Sends `piece` at each interval and never ends its response. */
async function anEndlessServer(piece: string, intervalMs: number) {
  const server = http.createServer((_request, response) => {
    const timer = setInterval(() => response.write(piece), intervalMs)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return aTargetAt((server.address() as AddressInfo).port)
}

const ask = { method: 'GET', path: '/' } as const

test('the timeout covers a response that drips', async () => {
  const target = await anEndlessServer('x', 10)
  await expect(call(target, { ...ask, timeoutMs: 200 })).rejects.toThrow(/abort|timeout/i)
})

test('a response without end is aborted', async () => {
  const target = await anEndlessServer('x'.repeat(100_000), 1)
  await expect(call(target, { ...ask, timeoutMs: 60_000 })).rejects.toThrow('more than 1048576 bytes')
})
