import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aTargetAt } from '../fixtures.ts'
import { call } from './http-call.ts'

/** Answers with a piece whenever the one before was taken, and never ends. */
async function anEndlessServer(piece: string, everyMs: number) {
  const server = http.createServer((_request, response) => {
    const timer = setInterval(() => response.write(piece), everyMs)
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

test('an answer that drips has the time of the whole call, and no more', async () => {
  const target = await anEndlessServer('x', 10)
  await expect(call(target, { ...ask, timeoutMs: 200 })).rejects.toThrow(/abort|timeout/i)
})

test('an answer without end is broken off', async () => {
  const target = await anEndlessServer('x'.repeat(100_000), 1)
  await expect(call(target, { ...ask, timeoutMs: 60_000 })).rejects.toThrow('more than 1048576 bytes')
})
