import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { otherHost } from '../browser.ts'
import { refusedSocket } from '../entry.ts'
import type { Given } from '../journey.ts'
import { overview } from '../overview.ts'

const blank = '<!doctype html><link rel=icon href=data:,><title>another site</title>'

export function crossSite(given: Given): void {
  describe('a page of another site', () => {
    test.each([
      { where: 'another port of the same host', host: '127.0.0.1' },
      { where: 'another host', host: otherHost },
    ])('[S2] at $where reads not one frame of the live connection', async ({ host }) => {
      const visit = await given.open()
      visit.expects(refusedSocket)
      await overview(visit.page).ready()
      await using site = await startSite(host)
      const page = await visit.page.context().newPage()
      await page.goto(site.url)
      const sameJar = await page.evaluate(() => document.cookie.includes('pulse_csrf='))
      expect(sameJar).toBe(host === '127.0.0.1')

      const address = `${given.estate.url.replace('http', 'ws')}/ws`
      expect(await readSocket(page, address)).toEqual({ opened: false, frames: 0 })
      expect(await readSocket(page, address, 'pulse.delta.1')).toEqual({ opened: false, frames: 0 })
      // The same code on our own page can read the socket: the server refuses the origin.
      expect(await readSocket(visit.page, address)).toEqual({ opened: true, frames: 2 })
    })
  })
}

async function startSite(host: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(blank)
  })
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  }
}

/** Counts the frames that a page receives from a socket, up to the second frame or its end. */
const readSocket = (page: Page, address: string, protocol?: string) =>
  page.evaluate(
    ([url, wanted]) =>
      new Promise<{ opened: boolean; frames: number }>((resolve) => {
        const seen = { opened: false, frames: 0 }
        const socket = new WebSocket(url!, wanted ? [wanted] : [])
        socket.addEventListener('open', () => (seen.opened = true))
        socket.addEventListener('message', () => {
          seen.frames++
          if (seen.frames === 2) socket.close()
        })
        socket.addEventListener('close', () => resolve(seen))
      }),
    [address, protocol] as const,
  )
