import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { hasChromium, openBrowser, openVisit, type Screen, type Visit } from './browser.ts'
import { type Credentials, type Estate, type EstateOptions, startEstate } from './estate.ts'

export interface Given {
  estate: Estate
  /** Opens the address in a fresh profile. After the test it is closed, and the test fails if the page logged an error. */
  open(options?: VisitOptions): Promise<Visit>
}

interface VisitOptions extends Partial<Screen> {
  /** a complete URL if the server is behind a proxy */
  path?: string
  /** without a session: the journey begins at the sign-in page */
  signedOut?: boolean
  /** default: the account of the environment */
  as?: Credentials
  /** sent with every request except those that open a socket */
  headers?: Record<string, string>
  /** items in the browser's storage before the first visit */
  stored?: Record<string, string>
  prepare?: (visit: Visit) => Promise<unknown>
  /** stays open until the file ends */
  lasting?: boolean
}

interface JourneyOptions extends EstateOptions {
  /** runs before the server is connected to the estate */
  prepare?: (estate: Estate) => void | Promise<void>
  connected?: boolean
}

/** Journeys that share one estate and one server. */
export function journeys(
  title: string,
  define: (given: Given) => void,
  { prepare, connected = true, ...options }: JourneyOptions = {},
): void {
  if (!hasChromium) console.log('skipped: no Chromium')
  describe.skipIf(!hasChromium)(title, () => {
    let browser: Browser | undefined
    const visits: { visit: Visit; lasting: boolean }[] = []
    const given: Given = {
      estate: undefined as unknown as Estate,
      async open({
        path = '/proxmox/overview',
        stored,
        prepare: before,
        lasting = false,
        signedOut = false,
        as,
        headers,
        ...screen
      } = {}) {
        const visit = await openVisit(browser!, screen)
        visits.push({ visit, lasting })
        if (!signedOut && !options.fresh) await signIn(visit, given.estate, as)
        if (headers) await visit.page.context().setExtraHTTPHeaders(headers)
        if (stored) await store(visit, stored)
        await before?.(visit)
        await visit.page.goto(new URL(path, given.estate.url).href)
        return visit
      },
    }

    beforeAll(async () => {
      const starting = startEstate(options)
      browser = await openBrowser()
      given.estate = await starting
      await prepare?.(given.estate)
      if (connected) await given.estate.connect()
    })
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') console.log(given.estate.lastWords())
      const open = visits.splice(0)
      visits.push(...open.filter(({ lasting }) => lasting))
      await Promise.all(open.filter(({ lasting }) => !lasting).map(({ visit }) => visit.close()))
      for (const { visit } of open) visit.check()
    })
    afterAll(async () => {
      await browser?.close()
      await (given.estate as Estate | undefined)?.close()
    })

    define(given)
  })
}

/** Stores the items once, before the first visit: changes that the page makes later stay. */
async function store({ page }: Visit, stored: Record<string, string>): Promise<void> {
  await page.addInitScript((values) => {
    if (localStorage.length > 0) return
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
  }, stored)
}

async function signIn({ page }: Visit, estate: Estate, as?: Credentials): Promise<void> {
  const cookies = await estate.signIn(as)
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: estate.url })))
}
