import type { Page } from 'playwright-core'

/** The page fetches this code after its first figures, possibly after the network was first idle. */
export async function fetchedAhead(page: Page): Promise<void> {
  await page.getByText(/^Last refresh/).waitFor()
  for (const name of ['toaster', 'tooltip-bubble', 'popover-parts']) {
    const file = await page.waitForFunction((part) => {
      const fetched = performance.getEntriesByType('resource').map((entry) => entry.name)
      return fetched.find((address) => address.includes(`/assets/${part}-`) && address.endsWith('.js'))
    }, name)
    // as text, so that the test runner does not transform the import
    await page.evaluate(`import(${JSON.stringify(await file.jsonValue())}).then(() => undefined)`)
  }
}
