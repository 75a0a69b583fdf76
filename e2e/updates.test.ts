import { openMachine } from '@pulse/testkit/machine'
import fs from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { hasChromium, openBrowser, openVisit, type Visit } from './browser.ts'
import { entry, refusedAnswer } from './entry.ts'
import { examine } from './examine.ts'
import { releaseFixture } from './release/fixtures.ts'
import { account, falls, install, type Installed, renamed } from './release/updating.ts'
import { expectNoSideways } from './screens.ts'

const given = releaseFixture()
const machine = hasChromium ? await openMachine() : undefined

/** Messages of the browser while the server is being replaced. */
const replaced = [
  /Failed to load resource: (net::ERR_|the server responded with a status of 50\d)/,
  /WebSocket connection to/,
]
const endsWithin = within(120_000)

describe.skipIf(!machine)('an installed release is updated in the browser', () => {
  const on = machine!
  let browser: Browser
  let installed: Installed
  let visit: Visit
  let page: Page
  let newer: string
  let good: string
  let broken: string

  beforeAll(async () => {
    const [major, minor] = given.version.split('.').map(Number) as [number, number]
    newer = `${major}.${minor + 1}.0`
    const made = await given.another(newer, falls)
    fs.renameSync(made, (broken = path.join(path.dirname(made), 'broken')))
    good = await given.another(newer)
    installed = await install(given, on)
    browser = await openBrowser()
    visit = await openVisit(browser)
    ;({ page } = visit)
    for (const text of [refusedAnswer, ...replaced]) visit.expects(text)
  })
  afterEach(() => visit.check())
  afterAll(async () => {
    await browser?.close()
    await installed?.close()
    await on.close()
  })

  const banner = () => page.getByRole('region', { name: 'Update available' })
  const dot = () => page.getByRole('link', { name: /^Settings/ }).getByText('Update available')
  const question = () => page.getByRole('dialog', { name: 'Confirm Update' })
  const progress = () => page.getByRole('dialog', { name: 'Update Pulse' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const footer = () => page.getByRole('contentinfo')
  const goTo = (where: string) => page.goto(installed.url + where)
  /** Changes the content of this release's download; the list stays as the server read it. */
  const publish = (...how: Parameters<Installed['feed']['publish']>) => {
    installed.feed.clear()
    installed.feed.publish(...how)
  }

  async function start(): Promise<void> {
    await button('Apply Update').click()
    const begin = question().getByRole('button', { name: 'Start Update' })
    expect(await begin.isDisabled()).toBe(true)
    await question()
      .getByRole('checkbox', {
        name: 'I understand that Pulse will be temporarily unavailable during the update process.',
      })
      .check()
    await begin.click()
    await progress().waitFor()
  }

  async function fails(): Promise<string> {
    const failure = progress().getByRole('alert')
    await failure.getByText('Update Failed').waitFor({ timeout: endsWithin })
    const said = await failure.innerText()
    await progress().getByRole('button', { name: 'Close' }).click()
    await progress().waitFor({ state: 'detached' })
    return said
  }

  async function history(): Promise<string[]> {
    await goTo('/settings/updates')
    const rows = page.getByRole('table', { name: 'Update history' }).getByRole('row')
    await rows.nth(1).waitFor()
    return (await rows.allInnerTexts()).slice(1)
  }

  const onPhone = async (look: () => Promise<unknown>) => {
    await page.setViewportSize({ width: 380, height: 800 })
    await look()
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  test('[spec 3 §4] the banner and the dot of Settings announce a newer release in the feed', async () => {
    publish(good, { tampered: 'archive', notes: '## New\n- everything' })
    await goTo('/')
    await entry(page).signIn(account)
    await banner().waitFor()
    expect(await banner().innerText()).toContain(`Update available: ${newer}`)
    expect(await banner().innerText()).toContain(`You are running ${given.version}.`)
    await dot().waitFor()
    await button('Show details').click()
    await page.getByRole('region', { name: 'Release notes' }).waitFor()
    await examine(page, 'update-banner')
    await onPhone(() => expectNoSideways(page))
    await button('Apply Update').click()
    await question().waitFor()
    await examine(page, 'update-confirm')
    await onPhone(() => expectNoSideways(page))
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
  })

  test('[spec 3 §8] an archive with one flipped bit is refused, with the reason', async () => {
    await start()
    expect(await fails()).toContain('The checksum of the archive does not match the published one.')
  })

  test('an older release under a newer name is refused', async () => {
    publish(renamed(given, newer), { tag: `v${newer}` })
    await start()
    expect(await fails()).toContain(
      `The release is ${given.version}, and ${given.version} is already running.`,
    )
  })

  test('[spec 3 §4] a version that crashes is rolled back, and the page says so when the previous version answers', async () => {
    publish(broken)
    await start()
    await progress().getByText('Restarting...').waitFor({ timeout: endsWithin })
    expect(await fails()).toContain(`${given.version} is restored`)
    expect(await footer().innerText()).toContain(`v${given.version}`)
  })

  test('[spec 3 §4] the next version is installed, and the page reloads as the new version', async () => {
    publish(good)
    await page.evaluate(() => Object.assign(globalThis, { beforeUpdate: true }))
    await start()
    await footer().getByText(`v${newer}`).waitFor({ timeout: endsWithin })
    expect(await page.evaluate(() => 'beforeUpdate' in globalThis)).toBe(false)
    expect(await installed.running()).toBe(newer)
    await page.getByRole('link', { name: 'Settings', exact: true }).waitFor()
    expect([await banner().count(), await dot().count(), await progress().count()]).toEqual([0, 0, 0])
  })

  test('[spec 2 §2] the history shows the result of each update', async () => {
    const rows = await history()
    const words = [
      ['Success', newer],
      ['Rolled back', `${given.version} is restored`],
      ['Failed', `The release is ${given.version}`],
      ['Failed', 'does not match the published one'],
    ]
    expect(rows).toHaveLength(words.length)
    for (const [at, row] of rows.entries()) for (const word of words[at]!) expect(row).toContain(word)
    await examine(page, 'update-history')
    await onPhone(() => expectNoSideways(page))
    await button(`Details of the update to ${newer}`).first().click()
    const details = page.getByRole('dialog', { name: 'Update details' })
    await details.getByText('Data kept in').waitFor()
    await examine(page, 'update-details')
    await onPhone(() => expectNoSideways(page))
  })

  test('[spec 2 §8] Check for Updates finds nothing newer', async () => {
    await goTo('/settings/system')
    await button('Check for Updates').click()
    await page.getByText('You are running the latest version.').waitFor()
  })
})
