import { describe, expect, test } from 'vitest'
import { addPerson, type Person } from '../access/people.ts'
import type { Given } from '../journey.ts'
import { sections } from './sections.ts'
import { settingsPage } from './settings-page.ts'

export function settingsViewer(given: Given): void {
  describe('a viewer', () => {
    let person: Promise<Person> | undefined
    test.each(sections)(
      '[spec 2 §6] sees at $path why nothing can be changed, and no controls',
      async ({ path, title, notice }) => {
        person ??= addPerson(given, 'vera', 'viewer')
        const { page } = await given.open({ as: await person, path })
        await settingsPage(page).title(title).waitFor()
        await page.getByText(notice, { exact: true }).waitFor()
        const main = page.getByRole('main')
        const buttons = main.getByRole('button')
        expect(
          await buttons.evaluateAll((all) =>
            all.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
          ),
        ).toEqual(['Collapse sidebar'])
        for (const role of ['textbox', 'searchbox', 'switch', 'radio', 'combobox', 'table'] as const) {
          expect(await main.getByRole(role).count(), role).toBe(0)
        }
      },
    )
  })
}
