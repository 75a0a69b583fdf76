import fs from 'node:fs'
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { chromiumFlags } from '../scripts/chromium-flags.ts'
import { within } from '../scripts/test-limits.ts'

const executable =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => fs.existsSync(file))
export const hasChromium = executable !== undefined && fs.existsSync(executable)

/** Also this machine, but another site for the browser. */
export const otherHost = '127.0.0.2'

/** The address bar loads two pages of its own with each opened page, which is a third of the time to open it. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** Playwright disables these itself; a second list would replace the first. */
const byPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const options: LaunchOptions = {
  ...(executable !== undefined && { executablePath: executable }),
  args: [
    ...chromiumFlags,
    `--disable-features=${[...byPlaywright, ...addressBar].join()}`,
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE ${otherHost}`,
    // The tests make certificates for the proxies in front of the server. Playwright's option would refuse each connection first.
    '--ignore-certificate-errors',
  ],
}

/** A browser for one file of tests. With one for all of them, each message passed through another process: a seventh more CPU. */
export const openBrowser = (): Promise<Browser> => chromium.launch(options)

export interface Screen {
  width: number
  height: number
  dark: boolean
}

/** A fresh profile with one page, and all errors in it. */
export interface Visit {
  page: Page
  problems: string[]
  /** Allows console messages that match. */
  expects(text: RegExp): void
  /** Fails with the errors since the last call. */
  check(): void
  close(): Promise<void>
}

export async function openVisit(browser: Browser, screen: Partial<Screen> = {}): Promise<Visit> {
  const { width = 1440, height = 900, dark = false } = screen
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(within(30_000))
  const problems = await watch(context)
  const expected: RegExp[] = []
  const page = await context.newPage()
  return {
    page,
    problems,
    expects: (text) => void expected.push(text),
    check() {
      const found = problems.splice(0).filter((problem) => !expected.some((text) => text.test(problem)))
      expect(found).toEqual([])
    },
    close: () => context.close(),
  }
}

/** Console errors, exceptions, violations of the content policy, dialogs, and requests beyond this machine. */
async function watch(context: BrowserContext): Promise<string[]> {
  const problems: string[] = []
  await context.exposeBinding('reportViolation', (_source, text: string) => void problems.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      (globalThis as unknown as { reportViolation(text: string): void }).reportViolation(
        `content policy: ${violatedDirective} ${blockedURI}`,
      ),
    )
  })
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => problems.push(`exception: ${error.error().stack}`))
  context.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const checkAddress = (url: string) => {
    if (!isLocal(url)) problems.push(`request beyond this machine: ${url}`)
  }
  context.on('request', (request) => checkAddress(request.url()))
  context.on('page', (page) => page.on('websocket', (socket) => checkAddress(socket.url())))
  return problems
}

function isLocal(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return /^(data|blob|about):$/.test(protocol) || /^(127(\.\d+){3}|\[::1\])$/.test(hostname)
}
