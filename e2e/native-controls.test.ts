import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'

/** Colours of the theme as the page computes them. */
const colourOf = (page: Page, name: string) =>
  page.evaluate((variable) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `var(${variable})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, name)

journeys('what browsers draw by themselves', (given) => {
  test.each([{ dark: false }, { dark: true }])(
    'triangles and time fields are drawn in the colours of the theme, dark: $dark',
    async ({ dark }) => {
      const { page } = await given.open({ dark, path: '/settings/system' })
      const field = await page.getByLabel('Daily check time').evaluate((element) => {
        const { accentColor, colorScheme, color } = getComputedStyle(element)
        return { accentColor, colorScheme, color }
      })
      expect(field).toEqual({
        accentColor: await colourOf(page, '--accent-fill'),
        colorScheme: dark ? 'dark' : 'light',
        color: await colourOf(page, '--ink'),
      })

      await page.goto(new URL('/settings/docker', given.estate.url).href)
      const summary = page.getByText('Uninstall the agent', { exact: true })
      // only the component's own chevron, without the browser's triangle or one from a style sheet
      const marks = () =>
        summary.evaluate((element) => ({
          native: getComputedStyle(element).listStyleType,
          added: ['::before', '::after'].map((where) => getComputedStyle(element, where).content),
          drawn: [...element.querySelectorAll('svg')].map((icon) => {
            const { color, rotate } = getComputedStyle(icon)
            return { color, rotate }
          }),
        }))
      const drawn = (color: string, rotate: string) => ({
        native: 'none',
        added: ['none', 'none'],
        drawn: [{ color, rotate }],
      })
      await summary.waitFor()
      const grey = await colourOf(page, '--ink-3')
      await expect.poll(marks).toEqual(drawn(grey, 'none'))
      await summary.press('Enter')
      await expect.poll(marks).toEqual(drawn(grey, '90deg'))
    },
  )
})
