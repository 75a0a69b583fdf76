import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

const key = 'pulseImportNotes'

/** An import reloads the page; its notes are shown afterwards. */
export function keepImportNotes(notes: readonly string[]): void {
  try {
    if (notes.length > 0) sessionStorage.setItem(key, JSON.stringify(notes))
  } catch {
    // storage is blocked: the audit log has the notes too
  }
}

export function ImportNotes() {
  const [notes, setNotes] = useState(readNotes)
  if (notes.length === 0) return null
  const dismiss = () => {
    sessionStorage.removeItem(key)
    setNotes([])
  }
  return (
    <div className="mb-4">
      <Notice tone="yellow" title="About the last import" action={<Button onClick={dismiss}>Dismiss</Button>}>
        <ul className="list-disc pl-4">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

function readNotes(): readonly string[] {
  try {
    const notes: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : []
  } catch {
    return []
  }
}
