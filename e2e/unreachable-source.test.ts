import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { within } from '../scripts/test-limits.ts'

/** The limit and the rest of a round, on a busy machine. */
const markMs = 30_000
const recoveryMs = 60_000

journeys(
  'a source',
  (given) => {
    test('[R7] that becomes unreachable keeps its last figures in grey with their age, and recovers on its own', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ height: 1_600 })
      const view = overview(page)
      await view.ready()
      const [hanging, other] = lab.clusters
      const node = (cluster: string) => view.nodes.getByRole('row').filter({ hasText: cluster }).first()
      const badge = node(hanging!.name).getByText(/^Stale/)
      await expectText(node(hanging!.name), markMs).toMatch(/\d%/)
      await expectText(node(other!.name), markMs).toMatch(/\d%/)

      lab.control.addFault({ kind: 'hang', cluster: hanging!.name })
      const strip = page.getByText(`${hanging!.name} does not answer.`)
      await strip.waitFor({ timeout: within(markMs) })
      await badge.waitFor()
      // The last figures stay, and no resource is shown as offline.
      const figures = await node(hanging!.name).getByRole('gridcell').allInnerTexts()
      expect(figures.slice(1, 5).every((text) => text !== '—')).toBe(true)
      expect(await page.getByText('Offline').count()).toBe(0)
      await page.getByText(/stopped, \d+ of them unreachable/).waitFor()
      expect(
        await node(other!.name)
          .getByText(/^Stale/)
          .count(),
      ).toBe(0)
      await examine(page, 'light-1440-source-unreachable')

      lab.control.clearFaults()
      await strip.waitFor({ state: 'detached', timeout: within(recoveryMs) })
      await badge.waitFor({ state: 'detached' })
      await expectText(node(hanging!.name), recoveryMs).toContain('Online')
    })

    test('[R21] while no source answers, the footer does not change although the server is connected', async () => {
      const { lab } = given.estate
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      lab.control.addFault({ kind: 'hang' })
      await page.getByText(/2 sources bring nothing new/).waitFor({ timeout: within(markMs) })
      const footer = page.getByRole('contentinfo')
      const before = await footer.innerText()
      expect(before).toMatch(/Last refresh: /)
      // Two heartbeats of the server.
      await page.waitForTimeout(11_000)
      expect(await footer.innerText()).toBe(before)
      await expectText(view.connection).toBe('Connected')
      lab.control.clearFaults()
      await expectText(footer, recoveryMs).not.toBe(before)
    })
  },
  { lab: { clusters: 2, nodes: 4, guests: 16 } },
)
