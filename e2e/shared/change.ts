import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Visit } from '../browser.ts'
import type { Given } from '../journey.ts'
import { expectText, hasColour, overview } from '../overview.ts'

const budgetMs = 500
export const deletedGuest = 173

export function liveChange(given: Given): void {
  describe('a change in the estate', () => {
    let visit: Visit
    let askedAt = Number.NaN

    beforeAll(async () => {
      visit = await given.open({ stored: { dashboardGroupingMode: 'flat' }, lasting: true })
      await overview(visit.page).ready()
      await noteTheMoment(visit.page, 'db01', '95.0%')
      const { control } = given.estate.lab
      const before = listings(given)
      control.patchGuest(101, { cpu: 0.95 })
      control.deleteGuest(deletedGuest)
      askedAt = await momentOf(() => listings(given) > before)
    })

    test('[spec 1 §2] shows without a reload, within 500 ms of the answer that brought it', async () => {
      const { page } = visit
      const view = overview(page)
      await expectText(view.cell(101, 'CPU')).toBe('95.0%')
      expect(await hasColour(view.cell(101, 'CPU').getByText('95.0%'), '--red')).toBe(true)
      const moment = await page.waitForFunction(() => (globalThis as unknown as Noted).noted)
      const { answeredAt, paintedAt } = (await moment.jsonValue())!
      console.log(
        `answer at the server to pixel: ${paintedAt - answeredAt} ms; question at the host to pixel: ${paintedAt - askedAt} ms`,
      )
      expect(paintedAt - answeredAt).toBeLessThanOrEqual(budgetMs)
      // The newest answer in a message may be a later one than that of the listing.
      expect(paintedAt - askedAt).toBeLessThanOrEqual(budgetMs)
    })

    test('[spec 1 §2] a deleted guest is not called running any more', async () => {
      const { page } = await given.open({ height: 3_000 })
      const name = overview(page).cell(deletedGuest, 'Name')
      await expectText(name).toContain('Not answering')
    })
  })
}

interface Noted {
  noted?: { answeredAt: number; paintedAt: number }
}

/** When that text was painted in the row of that guest, and when the newest answer behind it reached the server. */
const noteTheMoment = (page: Page, guest: string, text: string) =>
  page.evaluate(
    ([name, wanted]) => {
      const seen = new MutationObserver(() => {
        const row = [...document.querySelectorAll('[role=row]')].find((one) =>
          one.textContent.includes(name!),
        )
        if (!row?.textContent.includes(wanted!)) return
        seen.disconnect()
        const answer = document.querySelector('[data-last-answer]')!.getAttribute('data-last-answer')
        // The frame after the next one begins when this change has been painted.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            ;(globalThis as unknown as Noted).noted = { answeredAt: Number(answer), paintedAt: Date.now() }
          }),
        )
      })
      seen.observe(document.body, { childList: true, subtree: true, characterData: true })
    },
    [guest, text],
  )

/** How often the lab was asked for everything. */
const listings = ({ estate }: Given) => estate.lab.requests({ path: '/cluster/resources' }).total

function momentOf(holds: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + 20_000
    const timer = setInterval(() => {
      if (!holds() && Date.now() < deadline) return
      clearInterval(timer)
      if (holds()) resolve(Date.now())
      else reject(new Error('the server did not ask the lab within 20 s'))
    }, 2)
  })
}
