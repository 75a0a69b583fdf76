import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'

const TURNS = 12

journeys('the flash of the logo', (given) => {
  test('animates the opacity of one layer, without repainting any', async () => {
    const { page } = await given.open()
    await overview(page).ready()
    const session = await page.context().newCDPSession(page)
    const seen: string[] = []
    session.on('Tracing.dataCollected', ({ value }) =>
      seen.push(...(value as { name: string }[]).map(({ name }) => name)),
    )
    const count = (name: string) => seen.filter((one) => one === name).length
    const layersMade = async () => {
      seen.length = 0
      const complete = new Promise<void>((resolve) =>
        session.once('Tracing.tracingComplete', () => resolve()),
      )
      await session.send('Tracing.start', { categories: 'blink,benchmark', transferMode: 'ReportEvents' })
      const shown = await page.getByTestId('logo').evaluate(flash, TURNS)
      await session.send('Tracing.end')
      await complete
      expect(shown).toEqual([55, 100])
      expect(count('LocalFrameView::pushPaintArtifactToCompositor')).toBeGreaterThanOrEqual(TURNS)
      return count('PaintArtifactCompositor::Update')
    }
    // other changes on the page update layers too, many on a busy machine: poll for a round without them
    await expect.poll(layersMade).toBeLessThan(TURNS / 2)
  })
})

/** The observed opacities, in percent. */
async function flash(logo: Element, turns: number): Promise<number[]> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const opacities = new Set<number>()
  for (let turn = 0; turn < turns; turn++) {
    logo.toggleAttribute('data-flash', turn % 2 === 0)
    opacities.add(Math.round(Number(getComputedStyle(logo).opacity) * 100))
    await frame()
    await frame()
  }
  return [...opacities]
}
