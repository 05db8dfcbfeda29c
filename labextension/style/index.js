import './base.css';
import './controls.css';
import './transcript.css';
import './run.css';
import './composer.css';
import './pages.css';
import './settings.css';
import './notebook.css';
