import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { expectNoSideways } from '../screens.ts'

const screen = { width: 380, height: 800 }

export function phone(given: Given): void {
  describe('a narrow window', () => {
    const open = async (size = screen) => {
      const { page } = await given.open(size)
      const view = overview(page)
      await view.ready()
      return { page, view, guest: (name: string) => view.guests.getByRole('row').filter({ hasText: name }) }
    }

    test('[spec 1 §9] the page never scrolls sideways', async () => {
      const { page, view, guest } = await open()
      await expectNoSideways(page)
      await view.showFilters()
      await expectNoSideways(page)
      await page.getByRole('button', { name: 'Search tips' }).click()
      await page.getByRole('dialog', { name: 'Search tips' }).waitFor()
      await expectNoSideways(page)
      await page.keyboard.press('Escape')
      await guest('web01').click()
      await view.details(100).waitFor()
      await expectNoSideways(page)
      await view.search.fill('no guest is called like this')
      await page.getByRole('heading', { name: 'No guests found' }).waitFor()
      await expectNoSideways(page)
    })

    test('[spec 1 §2] rows have two lines whose texts all have room', async () => {
      const { view, guest } = await open({ ...screen, height: 5_000 })
      const text = (await guest('web01').innerText()).replaceAll(/\s+/g, ' ')
      expect(text).toMatch(/web01.* VM 100 · \d+d \d+h CPU \d+\.\d% Mem \d+\.\d% Disk (—|\d+\.\d%)$/)
      const rows = [
        ...(await view.nodes.getByRole('row').all()),
        ...(await view.guests.getByRole('row').all()),
      ]
      expect(rows.length).toBeGreaterThan(70)
      const problems = await Promise.all(rows.map(crowded))
      expect(problems.flat()).toEqual([])
      expect(await view.guests.getByRole('columnheader').count()).toBe(0)
    })

    test('no field makes a phone zoom in: each has letters of 16 px at least', async () => {
      const { page, view } = await open()
      await view.showFilters()
      const sizes = await page
        .locator('input:not([type=radio]), select, textarea')
        .evaluateAll((fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)))
      expect(sizes.length).toBeGreaterThan(1)
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
    })

    test('[spec 1 §2] a tap opens a guest, with the rates that have no column here', async () => {
      const { page, view, guest } = await open()
      await guest('gitea').click()
      const details = view.details(123)
      await expectText(details).toMatch(/Disk Read\s.*Disk Write\s.*Net In\s.*Net Out\s/s)
      const box = (await details.boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(screen.width)
      expect(await crowded(details)).toEqual([])
      await page.getByRole('button', { name: 'Details of gitea' }).click()
      await details.waitFor({ state: 'detached' })
    })

    test('[spec 1 §4] without heads the order is chosen in the filters', async () => {
      const { page, view } = await open()
      await view.showFilters()
      await view.toggle('Layout', 'List').click()
      const first = () => view.guests.getByRole('row').first()
      await page.getByRole('combobox', { name: 'Sort by' }).selectOption('CPU')
      const cpuOf = async (row: Locator) => Number(/CPU\s+([\d.]+)%/.exec(await row.innerText())?.[1])
      await expect.poll(() => cpuOf(first())).toBeGreaterThan(0)
      const highest = await cpuOf(first())
      expect(await cpuOf(view.guests.getByRole('row').nth(5))).toBeLessThanOrEqual(highest)
      await page.getByRole('button', { name: 'Descending, change to ascending' }).click()
      await expect.poll(() => cpuOf(first())).toBeLessThan(highest)
    })
  })
}

/** Texts that overlap each other, are cut off at the row's edge, or have hardly any room. */
function crowded(row: Locator): Promise<string[]> {
  return row.evaluate((element) => {
    const frame = element.getBoundingClientRect()
    const textsIn = (root: Element) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const nodes: Node[] = []
      for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node)
      return nodes.filter((node) => node.textContent!.trim() && !node.parentElement!.closest('.sr-only'))
    }
    /** The visible part of a text, inside all elements that clip it. */
    const shownBox = (node: Node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      let { left, right, top, bottom } = range.getBoundingClientRect()
      const fullWidth = right - left
      for (let one = node.parentElement; one && one !== element; one = one.parentElement) {
        if (getComputedStyle(one).overflow !== 'hidden') continue
        const clip = one.getBoundingClientRect()
        ;[left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)]
        ;[top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)]
      }
      return { text: node.textContent!.trim(), left, right, top, bottom, fullWidth }
    }
    // Text that wraps below the edge of its line is not shown.
    const texts = textsIn(element)
      .map(shownBox)
      .filter(({ top, bottom }) => bottom > top)
    const about = element.textContent.slice(0, 40)
    const problems: string[] = []
    for (const [index, box] of texts.entries()) {
      const { text, left, right, top, bottom, fullWidth } = box
      if (right - left < Math.min(fullWidth, 32) - 1) problems.push(`${about}: "${text}" has no room`)
      if (left < frame.left - 1 || right > frame.right + 1) problems.push(`${about}: "${text}" is cut off`)
      if (top < frame.top - 1 || bottom > frame.bottom + 1)
        problems.push(`${about}: "${text}" leaves its row`)
      for (const other of texts.slice(index + 1)) {
        const apart =
          right <= other.left + 1 ||
          other.right <= left + 1 ||
          bottom <= other.top + 1 ||
          other.bottom <= top + 1
        if (!apart) problems.push(`${about}: "${text}" overlaps "${other.text}"`)
      }
    }
    return problems
  })
}
