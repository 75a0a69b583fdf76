// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { createMemoryHistory } from '../../ui/router/fake-history.ts'
import { createRouter } from '../../ui/router/router.ts'
import { RouterContext } from '../../ui/router/use-router.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'

afterEach(cleanup)

interface Edits {
  isDirty: boolean
  isSaving?: boolean
}
const clean: Edits = { isDirty: false }
const dirty: Edits = { isDirty: true }
const saving: Edits = { isDirty: true, isSaving: true }

/** The outer guard belongs to all settings, the inner one to one section. */
function given() {
  const history = createMemoryHistory({ initialEntries: ['/other', '/settings/urls'] })
  const router = createRouter({
    history,
    pageAt: () => undefined,
    resolve: (to) => to,
    isServerUp: async () => true,
  })
  router.start()
  const discarded: string[] = []
  const both = (outer: Edits, inner: Edits) => (
    <StrictMode>
      <RouterContext value={router}>
        <UnsavedGuard
          {...outer}
          discard={() => discarded.push('outer')}
          stays={(path) => path.startsWith('/settings')}
        />
        <UnsavedGuard {...inner} stays={(path) => path === '/settings/urls'} />
      </RouterContext>
    </StrictMode>
  )
  const view = render(both(clean, clean))
  const click = (name: string) =>
    act(async () => void fireEvent.click(screen.getAllByRole('button', { name })[0]!))
  return {
    discarded,
    edit: (outer: Edits, inner: Edits = clean) => act(async () => view.rerender(both(outer, inner))),
    go: (to: string) => act(async () => router.go(to)),
    goBy: (by: number) => act(async () => history.go(by)),
    discard: () => click('Discard changes'),
    cancel: () => click('Cancel'),
    shown: () => [router.view().location.path, screen.queryAllByRole('dialog').length],
  }
}

test('edits that are saved while the user is asked let the navigation go on', async () => {
  const { edit, go, shown } = given()
  await edit(dirty)
  await go('/overview')
  expect(shown()).toEqual(['/settings/urls', 1])
  await edit(saving)
  await edit(clean)
  expect(shown()).toEqual(['/overview', 0])
})

test('edits that vanish without a save, such as those of a list that is empty now, keep the page', async () => {
  const { edit, go, shown } = given()
  await edit(dirty)
  await go('/overview')
  await edit(clean)
  expect(shown()).toEqual(['/settings/urls', 0])
  await edit(saving)
  await edit(clean)
  expect(shown()).toEqual(['/settings/urls', 0])
})

test('a save that fails keeps the question', async () => {
  const { edit, go, shown } = given()
  await edit(saving)
  await go('/overview')
  await edit(dirty)
  expect(shown()).toEqual(['/settings/urls', 1])
})

test('after Cancel a save does not leave', async () => {
  const { edit, go, cancel, shown } = given()
  await edit(dirty)
  await go('/overview')
  await cancel()
  await edit(saving)
  await edit(clean)
  expect(shown()).toEqual(['/settings/urls', 0])
})

test('Back goes on after a save, and Forward leads back', async () => {
  const { edit, goBy, shown } = given()
  await edit(saving)
  await goBy(-1)
  expect(shown()).toEqual(['/settings/urls', 1])
  await edit(clean)
  expect(shown()).toEqual(['/other', 0])
  await goBy(1)
  expect(shown()).toEqual(['/settings/urls', 0])
})

test('of two navigations during the question the last counts', async () => {
  const { edit, go, goBy, shown } = given()
  await edit(saving)
  await go('/overview')
  await goBy(-1)
  await edit(clean)
  expect(shown()).toEqual(['/other', 0])
})

test('two guards ask one after another', async () => {
  const { edit, go, discard, shown, discarded } = given()
  await edit(dirty, dirty)
  await go('/overview')
  await discard()
  expect([shown(), discarded]).toEqual([['/settings/urls', 1], ['outer']])
  await discard()
  expect(shown()).toEqual(['/overview', 0])
})

test('a guard whose edits were saved while another asked does not ask, and never leaves later', async () => {
  const { edit, go, discard, shown } = given()
  await edit(dirty, saving)
  await go('/overview')
  await edit(dirty, clean)
  await discard()
  expect(shown()).toEqual(['/overview', 0])
  await go('/settings/urls')
  await edit(dirty, saving)
  await edit(dirty, clean)
  expect(shown()).toEqual(['/settings/urls', 0])
})

test('a guard that got edits while another asked does ask', async () => {
  const { edit, go, discard, shown } = given()
  await edit(dirty, dirty)
  await go('/overview')
  await edit(dirty, clean)
  await edit(dirty, dirty)
  await discard()
  expect(shown()).toEqual(['/settings/urls', 1])
})
