// @vitest-environment happy-dom
import type { ApiToken } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dismissToken } from '../../../parts/token-reveal/revealed-token.ts'
import { TokenReminder } from '../../../app/token-reminder.tsx'
import { Answer, aToken, settled } from '../fake-settings.tsx'
import {
  aDockerHost,
  aLiveWith,
  aSetup,
  click,
  renderDocker,
  setupCall,
  someHosts,
  toasts,
  tokensCall,
} from './fake-docker.tsx'
import DockerSection from './section.tsx'
import { pageAddress } from './use-docker-setup.ts'

const create = 'POST /api/security/tokens'
const secret = `ab12cd${'0'.repeat(54)}ef34`
const record = aToken({ id: 't9', name: 'Docker host 2', scopes: ['docker:report'], oneHost: true })

async function show(replies: Record<string, unknown> = {}, hosts = someHosts([])) {
  return renderDocker(
    <>
      <TokenReminder />
      <DockerSection />
    </>,
    {
      live: aLiveWith(hosts),
      replies: { [tokensCall]: { tokens: [aToken()] }, [create]: { token: secret, record }, ...replies },
    },
  )
}

const panel = () => within(screen.getByRole('region', { name: 'Add a Docker host' }))
const command = () => panel().queryByLabelText<HTMLInputElement>('Install command')?.value
const choose = (name: string | RegExp) => fireEvent.click(panel().getByRole('radio', { name }))
const withExisting = async (tokens: ApiToken[], hosts = someHosts([])) => {
  const view = await show({ [tokensCall]: { tokens } }, hosts)
  choose('Existing token')
  return view
}
/** Closes the dialog that shows a new token once. */
const closeReveal = async () => {
  await screen.findByRole('dialog', { name: 'API token' })
  await act(async () => void fireEvent.click(screen.getByText('Close')))
}

beforeEach(() => void toasts())
afterEach(() => {
  cleanup()
  act(dismissToken)
  vi.unstubAllGlobals()
})

describe('[spec 2 §2] a new token', () => {
  test('[spec 2 §5] without a name is called after the number of tokens', async () => {
    const { calls } = await show()
    expect(panel().getByLabelText<HTMLInputElement>('Token name').placeholder).toBe('Docker host 2')
    await click('Generate token')
    expect(calls.find(({ call }) => call === create)!.body).toEqual({
      name: 'Docker host 2',
      scopes: ['docker:report'],
      oneHost: true,
    })
  })

  test('has the name that was typed, can only report, and binds to one host', async () => {
    const { calls } = await show()
    fireEvent.change(panel().getByLabelText('Token name'), { target: { value: ' nas ' } })
    await click('Generate token')
    expect(calls.find(({ call }) => call === create)!.body).toEqual({
      name: 'nas',
      scopes: ['docker:report'],
      oneHost: true,
    })
    expect(calls.filter(({ call }) => call === tokensCall)).toHaveLength(2)
  })

  test('[spec 2 §8] is shown once, and becomes part of the command', async () => {
    await show()
    expect(command()).toBeUndefined()
    await click('Generate token')
    const dialog = within(await screen.findByRole('dialog', { name: 'API token' }))
    expect(
      dialog.getByText('New API token generated. Copy it below while it is still visible.'),
    ).toBeDefined()
    expect(dialog.getByText('Created in Settings → Docker hosts')).toBeDefined()
    expect(dialog.getByLabelText<HTMLInputElement>('Token').value).toBe(secret)
    await closeReveal()
    expect(command()).toBe(
      `curl -fsSL 'https://pulse.example.org/install-docker-agent.sh' | PULSE_TOKEN=${secret} sh -s -- --url 'https://pulse.example.org' --interval 30s`,
    )
  })

  test('[spec 2 §8] that was dismissed leaves the command', async () => {
    await show()
    await click('Generate token')
    await closeReveal()
    act(dismissToken)
    expect(command()).toBeUndefined()
    expect(
      panel().getByText('No saved token found in this browser. Generate a new token instead.'),
    ).toBeDefined()
  })

  test('is waited for until a host reports with it', async () => {
    const { live } = await show()
    await click('Generate token')
    await closeReveal()
    expect(panel().getByText('Waiting for the first report.')).toBeDefined()
    act(() => live.put({ dockerHosts: { 'docker-1': aDockerHost({ tokenId: 't9' }) } }))
    expect(panel().getByText('web1 reports with this token.')).toBeDefined()
  })

  test.each([
    {
      answer: new Answer(409, { error: 'There are 1000 tokens already.' }),
      reason: 'There are 1000 tokens already.',
    },
    {
      answer: new Answer(403, { error: 'no' }),
      reason: 'Sign in with an administrator account to generate tokens here.',
    },
  ])('[spec 2 §8] Failed to generate API token: $reason', async ({ answer, reason }) => {
    await show({ [create]: answer })
    await click('Generate token')
    expect(panel().getByRole('alert').textContent).toBe(`Failed to generate API token${reason}`)
  })
})

describe('[spec 2 §2] the list of tokens', () => {
  test('names those that may report, with who uses them', async () => {
    await withExisting(
      [
        aToken({ id: 'a', name: 'everything' }),
        aToken({ id: 'b', name: 'reader', scopes: ['monitoring:read'] }),
        aToken({ id: 'c', name: 'over', expiresAt: '2020-01-01T00:00:00Z' }),
        aToken({ id: 'd', name: 'bound', oneHost: true, boundHost: { id: 'h1', name: 'web1' } }),
        aToken({ id: 'e', name: 'fresh', oneHost: true }),
        aToken({ id: 'same', name: 'shared' }),
      ],
      someHosts(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7'], { tokenId: 'same' }),
    )
    const list = within(panel().getByRole('group', { name: 'Existing tokens' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'everything ab12cd…ef34No host · never used',
      'bound ab12cd…ef34For web1 alone · never used',
      'fresh ab12cd…ef34For the first host that reports with it · never used',
      'shared ab12cd…ef34h1, h2, h3, h4, h5, +2 more · never used',
    ])
  })

  test('without any says what to do', async () => {
    await withExisting([])
    expect(panel().getByRole('heading', { name: 'No token may report yet' })).toBeDefined()
  })

  test.each([401, 403])(
    '[spec 2 §6] %i: sign-in is required; nothing can be made, and it can be tried again',
    async (code) => {
      const { replies } = await show({ [tokensCall]: new Answer(code, { error: 'no' }) })
      expect(panel().getByRole('alert').textContent).toBe(
        'Authentication required to list API tokens. Sign in with an administrator account, then try again.Retry',
      )
      expect(
        panel().getByText('Sign in with an administrator account to create tokens in the browser.'),
      ).toBeDefined()
      expect(panel().getByText('You need administrator access to create API tokens from here.')).toBeDefined()
      expect(panel().queryByRole('button', { name: 'Generate token' })).toBeNull()
      replies[tokensCall] = { tokens: [] }
      await click('Retry')
      expect(panel().getByRole('button', { name: 'Generate token' })).toBeDefined()
    },
  )

  test('[spec 2 §8] that cannot be loaded says so, with Retry', async () => {
    const { replies } = await show({ [tokensCall]: new Answer(500, { error: 'broken' }) })
    choose('Existing token')
    expect(panel().getByRole('alert').textContent).toBe('Failed to load API tokensbrokenRetry')
    replies[tokensCall] = { tokens: [aToken()] }
    await click('Retry')
    expect(panel().getByRole('radio', { name: /grafana/ })).toBeDefined()
  })
})

describe('an existing token', () => {
  test('[spec 2 §8] is not kept in the browser: who still has it enters it', async () => {
    await withExisting([aToken()])
    choose(/^grafana/)
    expect(
      panel().getByText('No saved token found in this browser. Generate a new token instead.'),
    ).toBeDefined()
    const field = panel().getByLabelText('Or enter the token')
    fireEvent.change(field, { target: { value: 'something else' } })
    expect(panel().getByText('This is not the token ab12cd…ef34')).toBeDefined()
    expect(command()).toBeUndefined()
    fireEvent.change(field, { target: { value: ` ${secret} ` } })
    expect(command()).toContain(` PULSE_TOKEN=${secret} `)
  })

  test('that was made a moment ago is still there', async () => {
    const { replies } = await show({ [tokensCall]: { tokens: [] } })
    replies[tokensCall] = { tokens: [record] }
    await click('Generate token')
    await closeReveal()
    choose('Existing token')
    choose(/^Docker host 2/)
    expect(command()).toContain(` PULSE_TOKEN=${secret} `)
    expect(panel().queryByLabelText('Or enter the token')).toBeNull()
  })

  test('[spec 2 §2] that hosts use already is warned about, with up to five of them', async () => {
    await withExisting(
      [aToken({ id: 'same', scopes: ['docker:report'] })],
      someHosts(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7'], { tokenId: 'same' }),
    )
    choose(/^grafana/)
    expect(panel().getByText('7 hosts report with this token already')).toBeDefined()
    expect(
      panel().getByText(/^h1, h2, h3, h4, h5, \+2 more\. Give each host a token of its own/),
    ).toBeDefined()
  })

  test('that belongs to one host is warned about', async () => {
    await withExisting([aToken({ oneHost: true, boundHost: { id: 'h1', name: 'web1' } })])
    choose(/^grafana/)
    expect(panel().getByText('grafana reports for web1 alone')).toBeDefined()
  })

  test('that may do more than report is warned about', async () => {
    await withExisting([aToken()])
    choose(/^grafana/)
    expect(panel().getByText('This token has more than report access')).toBeDefined()
  })
})

describe('[spec 2 §2] the install command', () => {
  async function given(setup: unknown) {
    await show({ [setupCall]: setup })
    await click('Generate token')
    await closeReveal()
    await settled()
  }

  test('tells how large the agent is', async () => {
    await given(aSetup())
    expect(panel().getByText(/The agent takes 7 MB \(linux-amd64\)\.$/)).toBeDefined()
  })

  test('is no use when there is no agent to install', async () => {
    await given(aSetup({ agents: [] }))
    expect(panel().getByText('This Pulse was built without the agent')).toBeDefined()
  })

  test('to an address that leads every machine to itself is warned about', async () => {
    await given(aSetup({ pulseURL: 'http://localhost:7655' }))
    expect(panel().getByText('Another machine cannot reach Pulse at http://localhost:7655')).toBeDefined()
    expect(panel().getByText(/crosses the network unencrypted/)).toBeDefined()
  })

  test('has the address of the page when the server does not say its own', async () => {
    await given(new Answer(500, { error: 'broken' }))
    expect(panel().getByText('Pulse does not know the address that agents use')).toBeDefined()
    expect(command()).toContain(`--url '${pageAddress(window.location)}' `)
  })

  test.each([
    [{ protocol: 'https:', origin: 'https://pulse.example.org' }, 'https://pulse.example.org'],
    [{ protocol: 'http:', origin: 'http://192.0.2.5:7655' }, 'http://192.0.2.5:7655'],
    [{ protocol: 'file:', origin: 'null' }, 'http://localhost:7655'],
  ])('[spec 2 §7] of a page from %j is %s', (location, address) => {
    expect(pageAddress(location)).toBe(address)
  })

  test('can be copied', async () => {
    const texts: string[] = []
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void texts.push(text) },
      configurable: true,
    })
    await given(aSetup())
    const copied = command()
    await act(async () => void fireEvent.click(panel().getAllByRole('button', { name: 'Copy' })[0]!))
    expect(texts).toEqual([copied])
    expect(toasts()).toEqual(['success: Command copied to clipboard!'])
  })
})

test('[spec 2 §7] the uninstall command is there without a token', async () => {
  await show()
  expect(panel().getByLabelText<HTMLInputElement>('Uninstall command').value).toBe(
    "curl -fsSL 'https://pulse.example.org/install-docker-agent.sh' | sh -s -- --uninstall",
  )
})
