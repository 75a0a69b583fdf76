import { beforeAll, describe, expect, test } from 'vitest'
import type { Visit } from '../browser.ts'
import type { Given } from '../journey.ts'
import { expectText, hasColour, overview } from '../overview.ts'

export const deletedGuest = 173

export function liveChange(given: Given): void {
  describe('a change in the estate', () => {
    let visit: Visit
    let before = Number.NaN

    beforeAll(async () => {
      visit = await given.open({ stored: { dashboardGroupingMode: 'flat' }, lasting: true })
      await overview(visit.page).ready()
      const { control } = given.estate.lab
      before = listings(given)
      control.patchGuest(101, { cpu: 0.95 })
      control.deleteGuest(deletedGuest)
    })

    // The bench measures the delay in milliseconds.
    test('[spec 1 §2] shows without a reload, before the host is asked another time', async () => {
      const view = overview(visit.page)
      await expectText(view.cell(101, 'CPU'), 30_000).toBe('95.0%')
      expect(listings(given) - before).toBeLessThanOrEqual(2)
      expect(await hasColour(view.cell(101, 'CPU').getByText('95.0%'), '--red')).toBe(true)
    })

    test('[spec 1 §2] a deleted guest is not called running any more', async () => {
      const { page } = await given.open({ height: 3_000 })
      const name = overview(page).cell(deletedGuest, 'Name')
      await expectText(name).toContain('Not answering')
    })
  })
}

/** The number of complete listings that the lab has served. */
const listings = ({ estate }: Given) => estate.lab.requests({ path: '/cluster/resources' }).total
