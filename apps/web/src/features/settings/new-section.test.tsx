// @vitest-environment happy-dom
import { getUsers, postUser, type User } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Server } from 'lucide-react'
import { lazy, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useApi } from '../../api/api.tsx'
import { failureOf } from '../../api/reason.ts'
import { useChange } from '../../api/use-change.ts'
import { createAppRouter, Pages } from '../../app/router.tsx'
import type { Page } from '../../app/routes.ts'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { AdminOnly } from '../../parts/sections/admin-only.tsx'
import { Loaded } from '../../parts/sections/loaded.tsx'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'
import { UnsavedGuard } from '../../parts/sections/unsaved-guard.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Answer, aStatus, aUser, renderSettings, settled, viewer } from './fake-settings.tsx'
import { SettingsPage } from './page.tsx'
import type { Section } from './section.ts'
import { sections } from './sections.ts'
import { createMemoryHistory } from '../../ui/router/fake-history.ts'

// An example section: its columns and its calls.

const columns: readonly RecordColumn<User>[] = [
  { header: 'Name', cell: ({ name }) => name, phone: { slot: 'name', draw: ({ name }) => name } },
  { header: 'Role', cell: ({ role }) => role, phone: { slot: 'fact', draw: ({ role }) => role } },
]

function People() {
  const api = useApi()
  const people = useQuery({
    queryKey: [getUsers.path],
    queryFn: ({ signal }) => api.call(getUsers, { signal }),
  })
  const [adding, setAdding] = useState(false)
  const [note, setNote] = useState('')
  return (
    <Panel title="People" flush action={<button onClick={() => setAdding(true)}>Add</button>}>
      <Loaded
        query={people}
        what="people"
        isEmpty={({ users }) => users.length === 0}
        empty={<p>None yet</p>}
      >
        {({ users }) => (
          <RecordTable label="People" columns={columns} rows={users} keyOf={({ id }) => id} minWidth={400} />
        )}
      </Loaded>
      <input aria-label="Note" value={note} onChange={(event) => setNote(event.target.value)} />
      <UnsavedGuard isDirty={note !== ''} stays={(path) => path === '/settings/people'} />
      <Dialog open={adding} onClose={() => setAdding(false)} title="Add person">
        <AddPerson onClose={() => setAdding(false)} />
      </Dialog>
    </Panel>
  )
}

function AddPerson({ onClose }: { onClose: () => void }) {
  const api = useApi()
  const add = useChange({
    mutationFn: () => api.call(postUser, { body: { name: 'kim', password: 'long enough', role: 'viewer' } }),
    onSuccess: onClose,
  })
  return (
    <DialogForm
      onSubmit={() => add.mutate()}
      onCancel={onClose}
      action="Add person"
      busyAction="Adding..."
      busy={add.isPending}
      failure={failureOf('Failed to add person', add.error)}
    >
      <input aria-label="Name" />
    </DialogForm>
  )
}

/** The only step to add a section: an entry, exported from the section's `entry.tsx`. */
const people: Section = {
  id: 'people',
  path: '/settings/people',
  title: 'People',
  description: 'Who is who.',
  group: 'Administration',
  icon: Server,
  component: lazy(async () => ({
    default: () => (
      <AdminOnly to="to see people">
        <People />
      </AdminOnly>
    ),
  })),
}

const list = `GET ${getUsers.path}`
const add = `POST ${postUser.path}`

const ofTheShell = {
  'GET /api/version': { version: '5.1.0', channel: 'stable' },
  'GET /api/config/system': { theme: '' },
}

async function given(
  replies: Record<string, unknown> = { [list]: { users: [aUser({ name: 'zoe' })] } },
  { path = '/settings/people', asViewer = false } = {},
) {
  const pages: Page[] = [
    {
      path: '/proxmox/overview',
      area: 'proxmox',
      label: 'Overview',
      load: async () => () => <p>overview</p>,
    },
    {
      path: '/settings',
      area: 'settings',
      label: 'Settings',
      nested: true,
      load: async () => () => <SettingsPage table={[...sections, people]} />,
    },
  ]
  const router = createAppRouter(pages, createMemoryHistory({ initialEntries: [path] }))
  const view = await renderSettings(
    <LiveProvider live={aLive()}>
      <Pages router={router} />
    </LiveProvider>,
    { replies: { ...ofTheShell, ...replies }, ...(asViewer && { status: aStatus({ user: viewer }) }) },
  )
  await screen.findByRole('heading', { level: 1, name: 'People' })
  await act(async () => {})
  return { ...view, router }
}

const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('[design 13] a section of the settings is one entry', () => {
  test.each(['/settings/people', '/settings?tab=people'])(
    'it is listed, and %s leads to it',
    async (path) => {
      const { router } = await given(undefined, { path })
      expect(router.view().location.path).toBe('/settings/people')
      const [sidebar, strip] = screen.getAllByRole('navigation', { name: 'Settings' })
      for (const navigation of [sidebar!, strip!]) {
        const link = within(navigation).getByRole('link', { name: 'People' })
        expect(link.getAttribute('aria-current')).toBe('page')
      }
    },
  )

  test('what it asks for is loaded, shown, missing or refused', async () => {
    const view = await given()
    expect(await screen.findByRole('cell', { name: 'zoe' })).toBeDefined()
    view.unmount()
    await given({ [list]: { users: [] } })
    expect(await screen.findByText('None yet')).toBeDefined()
    cleanup()
    await given({ [list]: new Answer(500) })
    expect(await screen.findByText('Failed to load people')).toBeDefined()
  })

  test('on a phone its records have two lines', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await given()
    const [name, facts] = (await screen.findByText('zoe')).closest('li')!.querySelectorAll('p')
    expect([name!.textContent, facts!.textContent]).toEqual(['zoe', 'viewer'])
  })

  test('others than administrators read why there is nothing', async () => {
    const { calls } = await given(undefined, { asViewer: true })
    expect(await screen.findByText('You need administrator access to see people.')).toBeDefined()
    expect(calls.map(({ call }) => call)).not.toContain(list)
  })

  test('its dialog stays while its call runs, and says what went wrong', async () => {
    let answer = (_: unknown) => {}
    await given({ [list]: { users: [] }, [add]: new Promise((done) => (answer = done)) })
    await screen.findByText('None yet')
    await click('Add')
    await click('Add person')
    await act(async () => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }))
    expect(screen.getByRole('button', { name: 'Adding...' })).toBeDefined()
    answer(new Answer(400, { error: 'Name is taken' }))
    await screen.findByText('Name is taken')
    await act(async () => void fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('leaving edits behind is asked about', async () => {
    await given()
    fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'unsaved' } })
    fireEvent.click(screen.getByRole('link', { name: 'Proxmox' }))
    expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeDefined()
    await settled()
  })
})
