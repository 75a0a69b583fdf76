import { getSecurityStatus, type SecurityStatus } from '@pulse/contract'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { ApiError } from '../../api/request.ts'
import { log } from '../../lib/log.ts'
import { QuickSetup } from '../../parts/setup/quick-setup.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoginForm } from './login-form.tsx'
import { type LoginMessage, MessageBox, noSession } from './message.tsx'
import { failureText, startFailureText, startSingleSignOn, successText } from './single-sign-on.ts'

interface LoginPageProps {
  /** absent: the page asks the server */
  status: SecurityStatus | undefined
  /** a session has ended */
  ended: boolean
  /** result of single sign-on, from the address */
  returned: { outcome: 'success' | 'error'; code: string } | undefined
  onSignedIn: () => Promise<boolean>
}

/** Sign-in, or first-run setup if no authentication is configured. */
export function LoginPage({ status, ended, returned, onSignedIn }: LoginPageProps) {
  const { state, askAgain } = useSetupState(useApi(), status)
  const [message, setMessage] = useState(() => firstMessage(ended, returned))

  useEffect(() => {
    if (ended || returned?.outcome !== 'success') return
    void onSignedIn().then((entered) => !entered && setMessage(noSession))
  }, [ended, returned, onSignedIn])

  if (!state) return <output className="late text-table text-ink-2">Loading...</output>
  if (!state.configured) return <FirstRun unsure={state.unsure === true} askAgain={askAgain} />
  return (
    <EntryCard title="Sign in">
      {message && <MessageBox {...message} />}
      {state.noAccount ? (
        !state.oidcEnabled && <NoAccount />
      ) : (
        <LoginForm onMessage={setMessage} onSignedIn={onSignedIn} />
      )}
      {state.oidcEnabled && !state.noAccount && (
        <div className="flex items-center gap-3 text-xs text-ink-3">
          <span className="h-px flex-1 bg-line" />
          or
          <span className="h-px flex-1 bg-line" />
        </div>
      )}
      {state.oidcEnabled && <SingleSignOnButton onMessage={setMessage} />}
    </EntryCard>
  )
}

function FirstRun({ unsure, askAgain }: { unsure: boolean; askAgain: () => void }) {
  return (
    <EntryCard wide title="Set up Pulse">
      {unsure && (
        <div className="flex flex-col items-start gap-2">
          <MessageBox
            kind="info"
            text="Pulse could not check whether it is set up already. If it is, check again before filling in this form."
          />
          <Button onClick={askAgain}>Check again</Button>
        </div>
      )}
      <QuickSetup mode="initial" onDone={() => window.location.reload()} />
    </EntryCard>
  )
}

interface EntryCardProps {
  title: string
  wide?: boolean
  children: ReactNode
}

function EntryCard({ title, wide, children }: EntryCardProps) {
  useEffect(() => {
    document.title = `${title} · Pulse`
  }, [title])
  return (
    <Card className={`flex w-full flex-col gap-4 p-5 sm:p-6 ${wide ? 'max-w-lg' : 'max-w-sm'}`}>
      <h1 className="text-base font-semibold">{title}</h1>
      {children}
    </Card>
  )
}

function firstMessage(ended: boolean, returned: LoginPageProps['returned']): LoginMessage | undefined {
  if (ended) return { kind: 'info', text: 'Your session has ended. Sign in again to go on.' }
  if (returned?.outcome === 'error') return { kind: 'error', text: failureText(returned.code) }
  return returned && { kind: 'success', text: successText }
}

/** Only API tokens are configured: explains how the machine's administrator adds an account. */
function NoAccount() {
  return (
    <>
      <Notice title="There is no account to sign in with yet">This installation has API tokens only.</Notice>
      <p className="text-table text-ink-2">Create the first account in one of two ways:</p>
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-table text-ink-2">
        <li>
          Set <Code>PULSE_AUTH_USER</Code> and <Code>PULSE_AUTH_PASS</Code> in the environment of Pulse, and
          restart it.
        </li>
        <li className="min-w-0">
          <p className="mb-2">
            Or stop Pulse and run this command in its folder. It creates the account and prints its password:
          </p>
          <CopyField label="Command" hideLabel value="npm start -- reset-password --create admin" />
        </li>
      </ol>
      <p className="text-table text-ink-2">Then reload this page. The tokens keep working.</p>
    </>
  )
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-xs break-all text-ink">{children}</code>
}

function SingleSignOnButton({ onMessage }: { onMessage: (message?: LoginMessage) => void }) {
  const api = useApi()
  const [redirecting, setRedirecting] = useState(false)

  // the provider's page was left with Back: the browser may restore this page from its cache
  useEffect(() => {
    const onShown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setRedirecting(false)
    }
    window.addEventListener('pageshow', onShown)
    return () => window.removeEventListener('pageshow', onShown)
  }, [])

  const start = async () => {
    setRedirecting(true)
    onMessage(undefined)
    try {
      window.location.assign(await startSingleSignOn(api, window.location))
    } catch (error) {
      log.warn('Single sign-on could not be started', error)
      onMessage({ kind: 'error', text: startFailureText })
      setRedirecting(false)
    }
  }

  return (
    <Button className="h-9 w-full" disabled={redirecting} onClick={() => void start()}>
      <KeyRound aria-hidden size={15} className="text-ink-3" />
      {redirecting ? 'Redirecting...' : 'Sign in with single sign-on'}
    </Button>
  )
}

/** Whether authentication is configured. `unsure`: the server gave no status, so the page assumes none. */
interface SetupState {
  configured: boolean
  oidcEnabled: boolean
  /** no user has a password */
  noAccount?: boolean | undefined
  unsure?: boolean
}

const fromStatus = ({
  hasAuthentication,
  requiresAuth,
  oidcEnabled,
  noAccount,
}: SecurityStatus): SetupState => ({
  configured: hasAuthentication || requiresAuth,
  oidcEnabled,
  noAccount,
})

/** From the known status, else from the server; undefined while loading. */
function useSetupState(api: Api, known: SecurityStatus | undefined) {
  const [state, setState] = useState(known && fromStatus(known))

  useEffect(() => {
    if (state) return
    const stop = new AbortController()
    const ask = async () => {
      const answer = await fetchSetupState(api, stop.signal)
      if (!stop.signal.aborted) setState(answer)
    }
    void ask()
    return () => stop.abort()
  }, [api, state])

  return { state, askAgain: () => setState(undefined) }
}

async function fetchSetupState(api: Api, signal: AbortSignal): Promise<SetupState> {
  try {
    return fromStatus(await api.call(getSecurityStatus, { retryLimited: false, signal }))
  } catch (error) {
    const limited = error instanceof ApiError && error.status === 429
    return { configured: limited, oidcEnabled: false, unsure: !limited }
  }
}
