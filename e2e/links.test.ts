import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'

const attack = '<img src=x onerror=alert(1)>'
const script = '<script>alert(2)</script>'

journeys(
  'what people and guests write',
  (given) => {
    const wireId = (vmid: number) => {
      const { lab } = given.estate
      return `${lab.clusters[0]!.name}-${lab.control.guest(vmid).node}-${vmid}`
    }

    test('[spec 1 §2] a link of its own makes a name a link', async () => {
      const customUrl = 'https://127.0.0.1:8443/wiki?a=1&b=2'
      await given.estate.call('PUT', `/api/guests/metadata/${wireId(100)}`, { customUrl })
      const { page } = await given.open({ height: 3_000 })
      const view = overview(page)
      await view.ready()
      const link = view.guest(100).getByRole('link', { name: 'web01', exact: true })
      await link.waitFor()
      expect(await link.getAttribute('href')).toBe(customUrl)
      expect(await link.getAttribute('rel')).toContain('noopener')
      const own = view.guest(123).getByRole('link', { name: /^(?!Open page of)/ })
      expect(await own.count()).toBe(0)
      // The name is the link, not the row.
      await view.cell(100, 'VMID').click()
      await view.details(100).waitFor()
    })

    test('[spec 1 §2] a link that is no web address is refused', async () => {
      for (const customUrl of ['javascript:alert(1)', 'data:text/html,x', 'ftp://127.0.0.1/']) {
        const put = given.estate.call('PUT', `/api/guests/metadata/${wireId(123)}`, { customUrl })
        await expect(put, customUrl).rejects.toThrow(/ 400 /)
      }
    })

    test('markup in names and tags is text: nothing runs, nothing is loaded', async () => {
      const { page } = await given.open({ height: 3_000 })
      const view = overview(page)
      await view.ready()
      const name = view.cell(101, 'Name')
      expect(await name.innerText()).toContain(attack)
      expect(await name.innerText()).toContain('<b>bold</b>')
      expect(await view.cell(102, 'Name').innerText()).toContain(script)
      expect(await page.locator('img, b').count()).toBe(0)

      // Tooltips also show texts of guests, without markup.
      await name.locator('[data-tag]').first().hover()
      const tip = page.getByRole('tooltip')
      await tip.waitFor()
      expect(await tip.innerText()).toBe('bold')

      await view.cell(101, 'VMID').click()
      await view.details(101).waitFor()
      await view.showFilters()
      await view.search.fill(attack)
      await page.getByRole('gridcell', { name: attack }).first().waitFor()
      await view.search.fill(`${attack} no such guest`)
      await page.getByText(`No guests match your search "${attack} no such guest"`, { exact: true }).waitFor()
      await view.search.press('Enter')
      await page.getByRole('button', { name: 'Search history' }).click()
      await page.getByRole('list', { name: 'Recent searches' }).getByText(attack).waitFor()
      expect(await page.locator('img').count()).toBe(0)
      expect(await page.title()).toBe('Overview · Pulse')
    })
  },
  {
    prepare: ({ lab }) => {
      lab.control.patchGuest(101, { name: attack, tags: `<b>bold</b>;"onmouseover="alert(3)` })
      lab.control.patchGuest(102, { name: script })
    },
  },
)
