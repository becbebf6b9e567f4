import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { dependency } from '#lib/config/config'
import type { DrawingOrder, DrawnPage } from './draw-pages.ts'
import { pageDrawer } from './page-drawer.derived.ts'
import { configuredSharp, encode, placeholder } from './pixels.sharp.ts'
import { PAGES_MAX, type RenderedPicture, type RenderPicture, VARIANT_WIDTHS } from './render-picture.ts'

/** Bounds for one document: PDFium's memory, and the time for drawing all pages. */
type DrawingBounds = { memoryBytes: number; seconds: number }

/** Encoding the pages adds at most a second and 300 MiB: a document takes 8 s, and fits the function's 3,008 MB. */
const BOUNDS: DrawingBounds = { memoryBytes: 1024 ** 3, seconds: 7 }

/** A page of paper is some 2,700 pixels high at this width. */
const LARGEST = { width: VARIANT_WIDTHS.full, height: 4096 }

/** The bound of the thread's JavaScript; PDFium's own memory has `memoryBytes`. */
const HEAP_MEBIBYTES = 256

/** The renderer of PDFs, as a dependency of functions. */
export const renderPages = dependency([], () => pagesRenderer(BOUNDS))

/** Renders the first pages of a PDF with PDFium, in a thread that is ended when it exceeds its bounds. */
export const pagesRenderer =
  (bounds: DrawingBounds): RenderPicture =>
  async (pdf) => {
    const drawn = await draw(pdf, bounds)
    const [first] = drawn.pages
    if (drawn.reason || !first) return { outcome: 'refused', reason: drawn.reason ?? 'unreadable' }
    const open = configuredSharp()
    const image = ({ data, width, height }: DrawnPage) => open(data, { raw: { width, height, channels: 4 } })
    const variants: Extract<RenderedPicture, { outcome: 'rendered' }>['variants'] = []
    for (const [index, page] of drawn.pages.entries()) {
      const encoded = await encode(image(page), VARIANT_WIDTHS.full, 'image/jpeg', { effort: 'quick' })
      variants.push({ name: 'full', contentType: 'image/jpeg', page: index + 1, ...encoded })
    }
    const { width, height } = first
    return { outcome: 'rendered', width, height, placeholder: await placeholder(image(first)), variants }
  }

type Drawn = { pages: DrawnPage[]; reason?: 'took_too_long' | 'unreadable' }

/** Draws the pages. Throws only if PDFium itself cannot be loaded: a document that breaks the thread yields a `reason`. */
async function draw(pdf: Buffer, { memoryBytes, seconds }: DrawingBounds): Promise<Drawn> {
  // The thread runs from a text: it has no place from which to resolve the package.
  const library = import.meta.resolve('@hyzyla/pdfium')
  // Shared, not posted: an error of the thread may overtake its messages.
  const isLoaded = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const order: DrawingOrder = { pdf, pages: PAGES_MAX, ...LARGEST, memoryBytes, library, isLoaded }
  const worker = new Worker(pageDrawer(), {
    eval: true,
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEBIBYTES },
    // PDFium's messages quote the document and belong in no log.
    stdout: true,
    stderr: true,
  })
  const pages: DrawnPage[] = []
  const timeout = AbortSignal.timeout(seconds * 1000)
  try {
    // The loop ends when the thread exits. It throws an error of the thread, and at the timeout.
    for await (const [page] of on(worker, 'message', { signal: timeout, close: ['exit'] })) pages.push(page)
    return { pages }
  } catch (error) {
    if (timeout.aborted) return { pages, reason: 'took_too_long' }
    if (Atomics.load(isLoaded, 0)) return { pages, reason: 'unreadable' }
    throw error
  } finally {
    await worker.terminate()
  }
}
