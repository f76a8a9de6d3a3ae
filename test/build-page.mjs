/** Before any test: the page of the server as its sources are now. Tests read it from dist/page, as the server does. */
import { bundlePage } from "../scripts/bundle-page.mjs";

export default () => bundlePage();
