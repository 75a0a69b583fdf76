import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'
import { Button } from '../../ui/button.tsx'
import type { LoginMessage } from './message.tsx'
import { startFailureText, startSingleSignOn } from './single-sign-on.ts'

export function SingleSignOnButton({ onMessage }: { onMessage: (message?: LoginMessage) => void }) {
  const api = useApi()
  const [redirecting, setRedirecting] = useState(false)

  // Back from the provider, the browser may show this page as it was left
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
