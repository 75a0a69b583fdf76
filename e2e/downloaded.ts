import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Download } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Saves a download and returns its path; the file is deleted when the test ends. */
export async function downloaded(file: Download): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-download-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const filePath = path.join(folder, file.suggestedFilename())
  await file.saveAs(filePath)
  return filePath
}
