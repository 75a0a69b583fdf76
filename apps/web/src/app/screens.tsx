import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { LogoMark } from './logo.tsx'

/** While the startup check runs. Appears late, so that a quick start shows nothing at all. */
export function LoadingScreen({ text = 'Loading...' }: { text?: string }) {
  return (
    <output className="late flex min-h-dvh flex-col items-center justify-center gap-3">
      <LogoMark size={36} />
      <p className="text-table text-ink-2">{text}</p>
    </output>
  )
}

/** Inside the frame, while a page's own code is on its way. */
export function Initializing() {
  return <output className="late block py-16 text-center text-table text-ink-2">Initializing...</output>
}

/** This version has no sign-in yet, and its server admits nobody from elsewhere. */
export function NotAdmitted() {
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <Card className="max-w-md p-6">
        <div className="mb-3 flex items-center gap-2">
          <LogoMark />
          <h1 className="text-base font-semibold">Open Pulse on its own machine</h1>
        </div>
        <p className="text-ink-2">
          This server only admits browsers that run on the same machine. Open it there, by its local address.
        </p>
        <Button className="mt-4" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </Card>
    </main>
  )
}
