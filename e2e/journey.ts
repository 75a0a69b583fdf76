import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { hasChromium, openBrowser, openVisit, type Screen, type Visit } from './browser.ts'
import { type Estate, startEstate } from './estate.ts'

export interface Given {
  estate: Estate
  /** A fresh profile at that address. It is closed after the test, and nothing may have gone wrong in it. */
  open(options?: Partial<Screen> & { path?: string; prepare?: (visit: Visit) => Promise<void> }): Promise<Visit>
}

/** Journeys that share one estate, one server and one browser. `prepare` runs before the server knows the estate. */
export function journeys(
  title: string,
  define: (given: Given) => void,
  { prepare, connected = true }: { prepare?: (estate: Estate) => void; connected?: boolean } = {},
): void {
  if (!hasChromium) console.log('skipped: no Chromium')
  describe.skipIf(!hasChromium)(title, () => {
    let browser: Browser | undefined
    const visits: Visit[] = []
    const given: Given = {
      estate: undefined as unknown as Estate,
      async open({ path = '/proxmox/overview', prepare: before, ...screen } = {}) {
        const visit = await openVisit(browser!, screen)
        visits.push(visit)
        await before?.(visit)
        await visit.page.goto(given.estate.url + path)
        return visit
      },
    }

    beforeAll(async () => {
      const starting = startEstate()
      browser = await openBrowser()
      given.estate = await starting
      prepare?.(given.estate)
      if (connected) await given.estate.connect()
    })
    afterEach(async () => {
      const open = visits.splice(0)
      await Promise.all(open.map((visit) => visit.close()))
      for (const visit of open) visit.check()
    })
    afterAll(async () => {
      await browser?.close()
      await (given.estate as Estate | undefined)?.close()
    })

    define(given)
  })
}
