import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type * as pdfium from '@hyzyla/pdfium'
import type { DrawingOrder, DrawnPage } from './draw-pages.ts'

// A thread of its own for one document. It says when PDFium is loaded, posts every page, and ends. A crash of PDFium in
// this thread becomes an `error` event in the thread that started it.

const WASM_PAGE_BYTES = 65_536

const order: DrawingOrder = workerData

/** The one part of Node's WebAssembly that is used here, and that its types leave out. */
declare const WebAssembly: {
  Memory: { prototype: { buffer: ArrayBuffer; grow: (pages: number) => number } }
}

const { prototype: memory } = WebAssembly.Memory
const { grow } = memory
/** PDFium grows its memory only through this function. It handles a refusal as if the machine had no memory left. */
memory.grow = function (pages) {
  if (this.buffer.byteLength + pages * WASM_PAGE_BYTES > order.memoryBytes)
    throw new RangeError('Too much memory')
  return grow.call(this, pages)
}

// The thread runs this file as text, which has no place of its own from which `import` would find the package.
const { PDFiumLibrary }: typeof pdfium = createRequire(order.library)('@hyzyla/pdfium')
const library = await PDFiumLibrary.init()
Atomics.store(order.isLoaded, 0, 1)

const document = await library.loadDocument(order.pdf)
for (let index = 0; index < Math.min(document.getPageCount(), order.pages); index += 1) {
  const page = document.getPage(index)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(order.width / originalWidth, order.height / originalHeight)
  const width = Math.max(1, Math.round(originalWidth * scale))
  const height = Math.max(1, Math.round(originalHeight * scale))
  if (Number.isNaN(width * height)) throw new RangeError('The page has no size')
  const { data } = await page.render({ width, height, scale: 1, render: 'bitmap' })
  const drawn: DrawnPage = { data, width, height }
  parentPort?.postMessage(drawn, [drawn.data.buffer as ArrayBuffer])
}
