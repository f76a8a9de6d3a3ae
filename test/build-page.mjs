/** Runs before all tests: builds the server's page from the current sources. Tests read it from dist/page, as the server does. */
import { bundlePage } from "../scripts/bundle-page.mjs";

export default () => bundlePage();
