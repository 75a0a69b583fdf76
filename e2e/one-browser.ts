import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { browserOptions, hasChromium } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** where the one browser of all journeys is reached; each visit has a profile of its own */
    browser: string
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasChromium) return undefined
  const server = await chromium.launchServer(browserOptions)
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}
