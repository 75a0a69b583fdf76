import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { browserOptions, hasChromium } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** endpoint of the browser that all journeys share; each visit has its own profile */
    browser: string
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasChromium) return undefined
  const server = await chromium.launchServer(browserOptions)
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}
