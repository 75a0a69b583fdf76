import { createContext } from 'react'

/** Whether the content is in a dialog, where navigation would discard typed values. */
export const InDialogContext = createContext(false)
